import { commentFromHtml } from '../../markdown/from-html/article.ts';
import type { ForeignComment, Loss } from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import type { Extensions } from './extensions.ts';
import { ownerKey } from './people.ts';
import type { Posts } from './posts.ts';
import { commentShape, replyShape } from './shapes.ts';
import type { z } from 'zod';

type Spoken = Pick<
  z.infer<typeof replyShape>['spec'],
  'raw' | 'content' | 'owner' | 'creationTime' | 'approved' | 'hidden'
>;
type Metadata = z.infer<typeof replyShape>['metadata'];

/** Yields comments, then replies. @param report receives the losses after the last one */
export async function* commentsOf(
  { extensions, resolve }: Pick<Posts, 'extensions' | 'resolve'>,
  isTaken: (article: string) => boolean,
  report: (losses: Loss[]) => void,
): AsyncGenerator<ForeignComment> {
  const left = new Map<string, number>();
  const lose = (why: string): void => void left.set(why, (left.get(why) ?? 0) + 1);
  yield* commentsIn(extensions, isTaken, resolve, lose);
  yield* repliesIn(extensions, isTaken, resolve, lose);
  report(Array.from(left, ([why, count]) => ({ what: '评论', why, count })));
}

type Arguments = [
  extensions: Extensions,
  isTaken: (article: string) => boolean,
  resolve: (address: string) => string,
  lose: (why: string) => void,
];

async function* commentsIn(
  ...[extensions, isTaken, resolve, lose]: Arguments
): AsyncGenerator<ForeignComment> {
  for (const { metadata, spec } of extensions.list('comments', commentShape)) {
    const { kind, name } = spec.subjectRef;
    if (kind !== 'Post' && kind !== 'SinglePage') lose('不在文章下（瞬间等插件的评论），没有导入');
    else if (!isTaken(name)) lose('它们的文章或页面没有导入');
    else if (metadata.deletionTimestamp === undefined) yield await commentOf(metadata, spec, name, resolve);
  }
}

async function* repliesIn(
  ...[extensions, isTaken, resolve, lose]: Arguments
): AsyncGenerator<ForeignComment> {
  for (const { metadata, spec } of extensions.list('replies', replyShape)) {
    const parent = extensions.find('comments', spec.commentName, commentShape);
    const article = parent?.spec.subjectRef.name ?? '';
    const isOnArticle = /^(?:Post|SinglePage)$/.test(parent?.spec.subjectRef.kind ?? '') && isTaken(article);
    if (!parent) lose('它们回复的评论不在备份里，没有导入');
    else if (!isOnArticle) lose('它们的文章或页面没有导入');
    else if (metadata.deletionTimestamp === undefined) {
      const replyTo = spec.quoteReply || spec.commentName;
      yield { ...(await commentOf(metadata, spec, article, resolve)), replyTo };
    }
  }
}

async function commentOf(
  metadata: Metadata,
  { raw, content, owner, creationTime, approved, hidden }: Spoken,
  article: string,
  resolve: (address: string) => string,
): Promise<ForeignComment> {
  return {
    key: metadata.name,
    article,
    author: ownerKey(owner),
    content: await textOf(content || raw, resolve),
    created: creationTime ?? metadata.creationTimestamp ?? 0,
    isHeld: !approved || hidden || undefined,
  };
}

const TAG = /<\/?[a-z][^>]*>/i;

/** Comments are HTML since the comment widget has an editor; older ones are lines of text. */
async function textOf(content: string, resolve: (address: string) => string): Promise<string> {
  const lines = content.replace(/\r\n?/g, '\n');
  const html = TAG.test(lines) ? lines : lines.replaceAll('\n', '<br>');
  const { markdown, isTooDeep } = await toMarkdown(commentFromHtml, html, { resolve });
  return isTooDeep ? content : markdown;
}
