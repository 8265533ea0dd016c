import type { SearchQuery } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';

/** Maximum matches that are counted. */
const MAX_MATCHES = 9_999;

export interface Match {
  from: number;
  to: number;
}

/** Returns the matches of a query, the first `MAX_MATCHES + 1`; none for an empty or invalid one. */
export function matchesOf(query: SearchQuery, state: EditorState): Match[] {
  const matches: Match[] = [];
  if (!query.valid) return matches;
  const cursor: Iterator<Match> = query.getCursor(state);
  for (let found = cursor.next(); !found.done && matches.length <= MAX_MATCHES; found = cursor.next())
    matches.push({ from: found.value.from, to: found.value.to });
  return matches;
}

/** Formats the selected match and the number of all, `3/17`; only the number if none is selected. */
export function countText(matches: readonly Match[], selected: Match): string {
  if (matches.length === 0) return '没有找到';
  const total = matches.length > MAX_MATCHES ? `${MAX_MATCHES}+` : String(matches.length);
  const at = matches.findIndex(({ from, to }) => from === selected.from && to === selected.to);
  return at < 0 ? `${total} 处` : `${at + 1}/${total}`;
}
