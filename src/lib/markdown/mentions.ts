import type { PhrasingContent, Root, RootContent } from 'mdast';
import { walk } from './walk.ts';

/**
 * `@` and a name as accounts have them, up to where it ends: 「@张三你好」 names nobody called 张三. Not inside an
 * address of e-mail or a path.
 */
export const MENTION = /(?<![\w.+/@-])@([\p{L}\p{M}\p{N}_-]{2,20})(?![\p{L}\p{M}\p{N}_-])/gu;

/** The account that a name after an `@` means, where it is to be a link. */
export type FindAccount = (name: string) => string | undefined;

/** Makes each `@name` of a comment's tree that `find` knows a link to that profile. */
export function linkMentions(tree: Root, find: FindAccount): void {
  walk<RootContent>(tree, (node, index, parent) => {
    if (node.type === 'link' || node.type === 'linkReference') return 'skip';
    if (node.type === 'text') parent.children.splice(index, 1, ...piecesOf(node.value, find));
    return undefined;
  });
}

function piecesOf(text: string, find: FindAccount): PhrasingContent[] {
  const pieces: PhrasingContent[] = [];
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const name = find(match[1] ?? '');
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
