import { z } from 'zod';
import { jsonOf } from '../json-rows.ts';
import type { ForeignEntry, ForeignFriend } from '../site/foreign-site.ts';
import type { Extensions } from './extensions.ts';
import { configShape, linkGroupShape, linkShape, menuItemShape, menuShape } from './shapes.ts';

const primaryShape = z.object({ primary: z.string() });

/** Entries of the primary menu; those below another entry follow it. */
export function navigationOf(extensions: Extensions): ForeignEntry[] {
  const config = extensions.find('configmaps', 'system', configShape)?.data['menu'];
  const { primary } = primaryShape.safeParse(jsonOf(config ?? '')).data ?? {};
  const menus = [...extensions.list('menus', menuShape)];
  const menu = menus.find(({ metadata }) => metadata.name === primary) ?? menus[0];
  const met = new Set<string>();
  const entriesOf = (names: readonly string[]): ForeignEntry[] => {
    const fresh = names.filter((name) => !met.has(name));
    for (const name of fresh) met.add(name);
    const items = fresh.flatMap((name) => extensions.find('menuitems', name, menuItemShape) ?? []);
    const inOrder = items.toSorted((a, b) => a.spec.priority - b.spec.priority);
    return inOrder.flatMap(({ spec: { targetRef, ...spec }, status }) => {
      const text = status?.displayName || spec.displayName;
      const isTerm = targetRef?.kind === 'Tag' || targetRef?.kind === 'Category';
      const target = isTerm
        ? { tag: text }
        : targetRef
          ? { article: targetRef.name }
          : { address: status?.href || spec.href };
      return [{ text, target }, ...entriesOf(spec.children)];
    });
  };
  return entriesOf(menu?.spec.menuItems ?? []);
}

/** Links of the plugin Links, by group. */
export function friendsOf(extensions: Extensions): ForeignFriend[] {
  const groups = new Map(
    Array.from(extensions.list('linkgroups', linkGroupShape), ({ metadata, spec }) => [metadata.name, spec]),
  );
  const placeOf = (group: string): number => groups.get(group)?.priority ?? Infinity;
  const links = Array.from(extensions.list('links', linkShape), ({ spec }) => spec);
  return links
    .toSorted((a, b) => placeOf(a.groupName) - placeOf(b.groupName) || a.priority - b.priority)
    .map(({ url, displayName, logo, description, groupName }) => ({
      name: displayName,
      address: url,
      description: description || undefined,
      logo: logo || undefined,
      group: groups.get(groupName)?.displayName || undefined,
    }));
}
