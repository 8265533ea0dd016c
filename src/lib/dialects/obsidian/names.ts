import { posix } from 'node:path';
import { MARKDOWN } from '../extensions.ts';
import { naturally } from '../../shared/natural-order.ts';

export type Names = ReturnType<typeof createNames>;

/** Finds files as Obsidian does: by name anywhere, by the end of a path, or relative to a note. */
export function createNames(paths: Iterable<string>) {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    for (const key of nameKeys(path)) {
      const same = byName.get(key);
      if (same) same.push(path);
      else byName.set(key, [path]);
    }
  }
  return {
    /** @param name with or without `.md` @param from the note with the link; both `/` separated */
    find(name: string, from: string): string | null {
      const bare = posix.normalize(name.trim()).replace(/^\/+/, '');
      const wanted = fold(bare);
      const beside = fold(posix.join(posix.dirname(from), bare));
      const sameName = byName.get(fold(posix.basename(bare))) ?? [];
      const exact = sameName.filter((path) => isAt(path, wanted) || isAt(path, beside));
      const inside = wanted.replace(/^(?:\.\.\/)+/, '');
      const [best] = (exact.length > 0 ? exact : sameName.filter((path) => endsAt(path, inside))).toSorted(
        (a, b) => distance(a, from) - distance(b, from) || depth(a) - depth(b) || naturally(a, b),
      );
      return best ?? null;
    },
  };
}

/** Names under which a file is found anywhere, in the form in which `find` compares them. */
export function nameKeys(path: string): string[] {
  const name = fold(posix.basename(path.trim()));
  return [...new Set([name, name.replace(MARKDOWN, '')])];
}

/** File systems differ in case and in the composition of characters. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase();

const isAt = (path: string, wanted: string): boolean =>
  [fold(path), fold(path).replace(MARKDOWN, '')].includes(wanted);

const endsAt = (path: string, wanted: string): boolean =>
  isAt(path, wanted) ||
  [fold(path), fold(path).replace(MARKDOWN, '')].some((each) => each.endsWith(`/${wanted}`));

const distance = (path: string, from: string): number =>
  posix.dirname(path) === posix.dirname(from) ? 0 : 1;

const depth = (path: string): number => path.split('/').length;
