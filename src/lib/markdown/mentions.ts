import type { PhrasingContent, Root, RootContent } from 'mdast';
import { MENTION } from '../contract/mentions.ts';
import { foldName } from '../contract/names.ts';
import { walk } from './walk.ts';

/** Makes each `@name` of a comment's tree that is one of `names` a link to that profile. */
export function linkMentions(tree: Root, names: readonly string[]): void {
  if (names.length === 0) return;
  const known = new Map(names.map((name) => [foldName(name), name]));
  walk<RootContent>(tree, (node, index, parent) => {
    if (node.type === 'link' || node.type === 'linkReference') return 'skip';
    if (node.type === 'text') parent.children.splice(index, 1, ...piecesOf(node.value, known));
    return undefined;
  });
}

function piecesOf(text: string, known: ReadonlyMap<string, string>): PhrasingContent[] {
  const pieces: PhrasingContent[] = [];
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const name = known.get(foldName(match[1] ?? ''));
    if (name === undefined) continue;
    pieces.push({ type: 'text', value: text.slice(from, match.index) });
    const label: PhrasingContent = { type: 'text', value: match[0] };
    pieces.push({ type: 'link', url: `/user/info/${encodeURIComponent(name)}`, children: [label] });
    from = match.index + match[0].length;
  }
  pieces.push({ type: 'text', value: text.slice(from) });
  // What begins the list takes the place of the text, and is not looked at again.
  return pieces.filter((piece, at) => at === 0 || piece.type !== 'text' || piece.value !== '');
}
