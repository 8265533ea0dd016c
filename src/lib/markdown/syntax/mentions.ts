import type { PhrasingContent, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

/**
 * `@` and a valid account name, up to the last character that a name may have: 「@张三你好」 does not
 * mention 张三. Does not match inside e-mail addresses or paths.
 */
export const MENTION = /(?<![\w.+/@-])@([\p{L}\p{M}\p{N}_-]{2,20})(?![\p{L}\p{M}\p{N}_-])/gu;

export type FindAccount = (name: string) => string | undefined;

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
  // The first piece replaces the text node and is not visited again.
  return pieces.filter((piece, at) => at === 0 || piece.type !== 'text' || piece.value !== '');
}
