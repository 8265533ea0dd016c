import { wordsOf, commentFromHtml } from '../../markdown/from-html/article.ts';
import type { ForeignComment } from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { addParagraphs } from './autop.ts';
import { instantOf } from './item.ts';
import { textIn, type XmlElement } from './xml.ts';

export type WpComment = ReturnType<typeof readComment>;

export function readComment(element: XmlElement) {
  const text = (name: string): string => textIn(element, `wp:${name}`);
  const status = text('comment_approved');
  return {
    id: text('comment_id'),
    parent: text('comment_parent'),
    /** Id of the account; `0` for guests. */
    userId: text('comment_user_id') || '0',
    name: wordsOf(text('comment_author')),
    email: text('comment_author_email').toLowerCase(),
    url: text('comment_author_url'),
    content: text('comment_content').replace(/\r\n?/g, '\n'),
    created: instantOf(text('comment_date_gmt'), text('comment_date')) ?? 0,
    lost: lossOf(text('comment_type'), status),
    isHeld: status === '0' || status === 'hold',
  };
}

/** Returns why a comment is not imported; undefined for others. */
function lossOf(type: string, status: string): 'spam' | 'trash' | 'pingback' | undefined {
  if (type === 'pingback' || type === 'trackback') return 'pingback';
  if (status === 'spam') return 'spam';
  return status === 'trash' || status === 'post-trashed' ? 'trash' : undefined;
}

/** Key of a commenter without an account, equal for all comments of the same person. */
export const guestKey = ({ name, email }: Pick<WpComment, 'name' | 'email'>): string =>
  `guest:${email || name.toLowerCase()}`;

export const ANONYMOUS = '匿名读者';

/**
 * Yields the imported comments of an article by time. A comment whose parent is not imported answers its
 * nearest imported ancestor, if any.
 * @param authorOf returns the key of a comment's author
 */
export async function* commentsOf(
  article: string,
  elements: readonly XmlElement[],
  authorOf: (comment: WpComment) => string,
): AsyncGenerator<ForeignComment> {
  const all = elements.map(readComment);
  const byId = new Map(all.map((comment) => [comment.id, comment]));
  const isKept = (comment: WpComment): boolean => comment.lost === undefined && comment.content.trim() !== '';
  const parentOf = (comment: WpComment): WpComment | undefined => {
    const seen = new Set([comment]);
    let above = byId.get(comment.parent);
    while (above && !isKept(above) && !seen.has(above)) {
      seen.add(above);
      above = byId.get(above.parent);
    }
    return above && isKept(above) && !seen.has(above) ? above : undefined;
  };
  const ordered = all.filter(isKept).sort((a, b) => a.created - b.created || Number(a.id) - Number(b.id));
  for (const comment of ordered) {
    yield {
      key: comment.id,
      article,
      author: authorOf(comment),
      content: await contentOf(comment.content),
      created: comment.created,
      replyTo: parentOf(comment)?.id,
      isHeld: comment.isHeld || undefined,
    };
  }
}

async function contentOf(html: string): Promise<string> {
  const resolve = (address: string): string => URL.parse(address)?.href ?? '';
  const options = { resolve, prepare: addParagraphs };
  const { markdown, isTooDeep } = await toMarkdown(commentFromHtml, html, options);
  return isTooDeep ? html.replace(/<[^>]*>/g, '').trim() : markdown;
}
