import type { Found } from './found.ts';

export type Paired = Found & { at: number; closing?: Paired; opening?: Paired };

/** Pairs each tag with its end tag. Pairs nest; tags without an end stay single. */
export function pairUp(tags: readonly Found[]): Paired[] {
  const paired: Paired[] = tags.map((tag, at) => ({ ...tag, at }));
  const open: Paired[] = [];
  const byName = new Map<string, number>();
  const count = (tag: Found, step: number): void => {
    const name = tag.kind + tag.name;
    byName.set(name, (byName.get(name) ?? 0) + step);
  };
  for (const tag of paired) {
    if (tag.isEnd) {
      if (!byName.get(tag.kind + tag.name)) continue;
      for (let last = open.pop(); last && !tag.opening; last = tag.opening ? undefined : open.pop()) {
        count(last, -1);
        if (last.kind !== tag.kind || last.name !== tag.name) continue;
        last.closing = tag;
        tag.opening = last;
      }
    } else if (!tag.isClosed && !tag.rawEnd) {
      open.push(tag);
      count(tag, 1);
    }
  }
  return paired;
}
