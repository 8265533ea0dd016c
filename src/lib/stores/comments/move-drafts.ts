import { COMMENT_DRAFTS, inTab, onDevice, readStored, store } from '../../client/stored.ts';
import { foldName } from '../../contract/rules/names.ts';

/** Moves the comment drafts of a renamed user; apart from comment-drafts.ts, which every article loads. */
export function moveDrafts(from: string, to: string): void {
  const [former, next] = [foldName(from), foldName(to)];
  if (former === next) return;
  for (const place of [inTab, onDevice])
    for (const key of keysIn(place)) {
      const [kind, articleId, user, ...rest] = key.split(':');
      if (kind !== COMMENT_DRAFTS || user !== former) continue;
      const moved = [COMMENT_DRAFTS, articleId, next, ...rest].join(':');
      if (store(place, moved, readStored(place, key))) store(place, key, null);
    }
}

/** Keys of a storage; none if the reader blocks it. */
function keysIn(place: () => Storage): string[] {
  try {
    return Object.keys(place());
  } catch {
    return [];
  }
}
