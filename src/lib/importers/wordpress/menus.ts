import type { ForeignEntry } from '../site/foreign-site.ts';
import type { Item } from './item.ts';

export interface MenuItem {
  /** `post_type`, `taxonomy` or `custom`. */
  type: string;
  /** Id of the post or term. */
  object: string;
  url: string;
  title: string;
  order: number;
}

/** Menus of an export by name, and names of the terms and pages that their items link to, by id. */
interface Menus {
  menus: Map<string, MenuItem[]>;
  names: Record<'terms' | 'pages', Map<string, string>>;
}

const HEADER = /main|primary|header|top|主|顶|导航/i;
const FOOTER = /foot|bottom|页脚|底/i;
/** Blocks of `wp_navigation`. */
const LINK = /<!-- wp:navigation-(?:link|submenu) (\{[^\n]*?\}) \/?-->/g;

export function addMenuItems(menus: Map<string, MenuItem[]>, item: Item): void {
  const add = (menu: string, entry: MenuItem): void =>
    void menus.set(menu, [...(menus.get(menu) ?? []), entry]);
  const { meta, title, order } = item;
  if (item.type === 'nav_menu_item' && item.status === 'publish') {
    const menu = item.terms.find(({ domain }) => domain === 'nav_menu');
    const of = (name: string): string => meta.get(`_menu_item_${name}`) ?? '';
    add(menu?.slug ?? '', { type: of('type'), object: of('object_id'), url: of('url'), title, order });
  } else if (item.type === 'wp_navigation' && item.status === 'publish')
    for (const [order, [, json = '']] of [...item.content.matchAll(LINK)].entries()) {
      const { label, url, id, kind } = attributesIn(json);
      const type = kind === 'post-type' ? 'post_type' : kind;
      add(item.title, {
        type: type ?? 'custom',
        object: id ?? '',
        url: url ?? '',
        title: label ?? '',
        order,
      });
    }
}

function attributesIn(json: string): Record<string, string | undefined> {
  try {
    const read = Object.entries(JSON.parse(json) as object);
    return Object.fromEntries(read.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

/** Entries of the menus of header and footer; an export does not say where menus are shown. */
export function navigationOf({ menus, names }: Menus): ForeignEntry[] {
  const all = [...menus.keys()];
  const footer = all.find((name) => FOOTER.test(name));
  const others = all.filter((name) => name !== footer);
  const header = others.find((name) => HEADER.test(name)) ?? others[0];
  return (['header', 'footer'] as const).flatMap((place) => {
    const name = place === 'header' ? header : footer;
    const items = (name === undefined ? null : menus.get(name)) ?? [];
    const inOrder = items.toSorted((a, b) => a.order - b.order);
    return inOrder.map(({ type, object, url, title }) => {
      const tag = type === 'taxonomy' ? names.terms.get(object) : undefined;
      const target =
        tag !== undefined ? { tag } : type === 'post_type' ? { article: object } : { address: url };
      return { text: title || tag || names.pages.get(object) || '', place, target };
    });
  });
}
