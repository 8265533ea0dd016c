import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { amongNames } from '../../contract/rules/names.ts';
import { renderComment } from '../../markdown/comment.ts';
import type { CommentRow } from './comment-queries.ts';
import { readMentions } from './mention-queries.ts';

type Written = Pick<CommentRow, 'content' | 'mentions'>;

/** Cache size: texts and their HTML, in UTF-16 units. */
const MAX_CACHE_CHARACTERS = 4_000_000;
/** Rendering yields to other work after this time. One comment takes at most 8 ms (markdown/comment.ts). */
const TURN_BUDGET_MS = 10;

/**
 * Renders comments to HTML with links to mentioned users, when they are read, and caches the HTML. Most
 * comments are plain words, which take no time, and cached pages need no rendering. See
 * docs/features/comments.md.
 * @returns a function that renders comments; '' for text that is shown as it is
 */
export function createCommentHtml(): (comments: readonly Written[]) => Promise<string[]> {
  const cache = new LRUCache<string, string>({
    maxSize: MAX_CACHE_CHARACTERS,
    sizeCalculation: (html, key) => html.length + key.length + 1,
  });
  const render = ({ content, mentions }: Written): string => {
    // NUL never occurs in a text.
    const key = mentions === '' ? content : `${content}\0${mentions}`;
    const html = cache.get(key) ?? renderComment(content, accountsOf(mentions));
    if (html !== '') cache.set(key, html);
    return html;
  };
  return async (comments) => {
    const htmls: string[] = [];
    let began = performance.now();
    for (const comment of comments) {
      htmls.push(render(comment));
      if (performance.now() - began < TURN_BUDGET_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    return htmls;
  };
}

const accountsOf = (mentions: string) =>
  mentions === '' ? undefined : amongNames(readMentions(mentions).map(([, name]) => name));
