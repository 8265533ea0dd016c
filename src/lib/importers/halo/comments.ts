import { commentFromHtml } from '../../markdown/from-html/article.ts';
import type { ForeignComment, Loss } from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { ownerKey } from './people.ts';
import type { Posts } from './posts.ts';
import { commentShape, replyShape } from './shapes.ts';
import type { z } from 'zod';

type Spoken = Pick<
  z.infer<typeof replyShape>['spec'],
  'raw' | 'content' | 'owner' | 'creationTime' | 'approved' | 'hidden'
>;
type Metadata = z.infer<typeof replyShape>['metadata'];

const isArticle = (kind: string): boolean => kind === 'Post' || kind === 'SinglePage';

/** Yields comments, then replies. @param report receives the losses after the last one */
export async function* commentsOf(
  { extensions, resolve }: Pick<Posts, 'extensions' | 'resolve'>,
  isTaken: (article: string) => boolean,
  report: (losses: Loss[]) => void,
): AsyncGenerator<ForeignComment> {
  const left = new Map<string, number>();
  const lose = (why: string): void => void left.set(why, (left.get(why) ?? 0) + 1);
  for (const { metadata, spec } of extensions.list('comments', commentShape)) {
    const { kind, name } = spec.subjectRef;
    if (!isArticle(kind)) lose('不在文章下（瞬间等插件的评论），没有导入');
    else if (!isTaken(name)) lose('它们的文章或页面没有导入');
    else if (metadata.deletionTimestamp === undefined) yield commentOf(metadata, spec, name, resolve);
  }
  for (const { metadata, spec } of extensions.list('replies', replyShape)) {
    const parent = extensions.find('comments', spec.commentName, commentShape)?.spec.subjectRef;
    if (!parent) lose('它们回复的评论不在备份里，没有导入');
    else if (!isArticle(parent.kind) || !isTaken(parent.name)) lose('它们的文章或页面没有导入');
    else if (metadata.deletionTimestamp === undefined) {
      const replyTo = spec.quoteReply || spec.commentName;
      yield { ...(await commentOf(metadata, spec, parent.name, resolve)), replyTo };
    }
  }
  report(Array.from(left, ([why, count]) => ({ what: '评论', why, count })));
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
