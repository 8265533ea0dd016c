import { commentFromHtml } from '../../markdown/from-html/article.ts';
import type { ForeignRow } from '../../server/db/foreign/foreign-tables.ts';
import type { ForeignComment, Loss } from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { addParagraphs } from '../wordpress/autop.ts';
import type { Contents } from './contents.ts';
import { guestKey, instantOf, userKey } from './users.ts';

export interface Known {
  users: ReadonlySet<string>;
  articles: ReadonlySet<string>;
}

/** Yields comments in order of creation. @param report receives the losses after the last comment */
export async function* commentsOf(
  source: Contents,
  known: Known,
  report: (losses: Loss[]) => void,
): AsyncGenerator<ForeignComment> {
  const left = new Map<string, Loss & { count: number }>();
  const lose = (what: string, why: string): void => {
    const loss = left.get(what + why) ?? { what, why, count: 0 };
    left.set(what + why, { ...loss, count: loss.count + 1 });
  };
  for (const row of source.tables.rows('comments', { order: ['created', 'coid'] })) {
    const why = lossOf(row, known);
    if (why !== null) {
      lose('评论', why);
      continue;
    }
    if (row['url'] && !known.users.has(row['authorId'] ?? '')) lose('评论者的网站', '本站不显示，没有导入');
    yield await commentOf(source, row, known.users);
  }
  report([...left.values()]);
}

function lossOf({ type, status, cid }: ForeignRow, { articles }: Known): string | null {
  if (status === 'spam') return '垃圾评论没有导入';
  if (type !== 'comment') return '引用通告（pingback、trackback）没有导入';
  return articles.has(cid ?? '') ? null : '它们的页面没有导入';
}

async function commentOf(
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
    replyTo: Number(parent) > 0 ? (parent ?? '') : undefined,
    isHeld: status !== 'approved' || undefined,
  };
}

/** Typecho shows comments as HTML with few elements, and preserves line ends. */
const fromHtml = async (text: string, resolve: Contents['resolve']): Promise<string> =>
  (await toMarkdown(commentFromHtml, text, { resolve, prepare: addParagraphs })).markdown;
