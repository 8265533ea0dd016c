import { commentFromHtml } from '../../../markdown/from-html/article.ts';
import type { ForeignRow } from '../../../server/db/foreign-tables.ts';
import type { ForeignComment } from '../site/foreign-site.ts';
import { addParagraphs } from '../wordpress/autop.ts';
import type { Contents } from './contents.ts';
import { guestKey, instantOf, userKey } from './users.ts';

/** Why a comment is not brought in; null where it is. */
export function commentLoss({ type, status }: ForeignRow): string | null {
  if (status === 'spam') return '垃圾评论没有导入';
  return type === 'comment' ? null : '引用通告（pingback、trackback）没有导入';
}

/** A comment of a row of `comments`. @param users ids of accounts */
export async function commentOf(
  { options, resolve }: Pick<Contents, 'options' | 'resolve'>,
  row: ForeignRow,
  users: ReadonlySet<string>,
): Promise<ForeignComment> {
  const { coid, cid, authorId, parent, status } = row;
  const text = (row['text'] ?? '').replace(/\r\n?/g, '\n');
  const isAccount = users.has(authorId ?? '');
  return {
    key: coid ?? '',
    article: cid ?? '',
    author: isAccount ? userKey(authorId ?? '') : guestKey(row),
    content: options.areCommentsMarkdown ? text.trim() : await fromHtml(text, resolve),
    created: instantOf(row['created']) ?? 0,
    ...(Number(parent) > 0 ? { replyTo: parent ?? '' } : {}),
    ...(status === 'approved' ? {} : { isHeld: true }),
  };
}

/** Typecho shows the text as HTML of a few elements, whose lines it keeps. */
async function fromHtml(text: string, resolve: Contents['resolve']): Promise<string> {
  try {
    return (await commentFromHtml(text, { resolve, prepare: addParagraphs })).markdown;
  } catch (error) {
    if (error instanceof RangeError) return text;
    throw error;
  }
}
