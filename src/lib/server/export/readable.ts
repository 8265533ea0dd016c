import type { Element } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import { commentText } from '../../markdown/comment.ts';
import { paletteSheet } from '../../shared/palette.ts';
import { formatMinute } from '../../shared/time.ts';
import { AUTHORS, FOLDERS, LISTS, MANIFEST, type Comment } from './format.ts';

export const README = 'README.md';
export const COMMENTS_PAGE = 'comments.html';

const FOLDER_TEXTS: Record<keyof typeof FOLDERS, string> = {
  post: '公开的文章',
  draft: '草稿',
  secret: '私密文章，只有自己看得到',
  withheld: '等待审核、没有通过审核和被站务隐藏的文章，文件开头的 `moye` 里有状态和理由',
  trash: '回收站里的文章',
  revision: '公开的文章还没有发布的改动',
  version: '文章从前的样子，一篇一个文件夹',
  picture: '图片',
};

/** Text of the file that explains an export to the person who opens it. */
export function readmeOf({ isSite }: { isSite: boolean }): string {
  const folders = Object.entries(FOLDERS).map(
    ([kind, folder]) => `- \`${folder}/\`：${FOLDER_TEXTS[kind as keyof typeof FOLDERS]}`,
  );
  const lines = [
    '# 从墨页导出的内容',
    '',
    `${isSite ? `每位作者一个文件夹，在 \`${AUTHORS}/\` 里。` : ''}文章是带信息头的 Markdown 文件，用任何文本编辑器都能打开，Hexo、Hugo、Jekyll、Astro 也能读。`,
    '',
    ...folders,
    '',
    '只有 `posts/` 里的文章标着公开，别的都标着 `draft: true`，误放进网站生成器也不会发布。',
    '',
    ...(isSite ? [] : [`评论在 \`${COMMENTS_PAGE}\`，用浏览器打开就能看。`]),
    `\`${LISTS.comments.split('/')[0] ?? ''}/\` 里的 JSON 和 \`${MANIFEST}\` 给程序用，站长可以用 \`moye import moye\` 把整个文件夹或 zip 原样导回墨页。`,
    '',
  ];
  return lines.join('\n');
}

const STYLE = [
  paletteSheet((declared) => `@media (prefers-color-scheme:dark){:root{${declared}}}`),
  'body{max-width:42rem;margin:0 auto;padding:24px 20px;font:16px/1.75 system-ui,sans-serif;background:var(--paper);color:var(--ink);overflow-wrap:anywhere}',
  'h1{font-size:1.5rem}article{padding:16px 0;border-top:1px solid var(--line)}h2{margin:0;font-size:1rem}',
  'p{margin:4px 0}.by{color:var(--soft);font-size:.875rem}blockquote{margin:8px 0;padding-left:12px;border-left:3px solid var(--line);color:var(--soft);white-space:pre-wrap}.text{white-space:pre-wrap}',
].join('');

const STATES = { held: '等待审核', hidden: '已被隐藏', deleted: '已被删除' } as const;

function articleOf(comment: Comment, timeZone: string): Element {
  const { title, author_name, created, reply_to, quote, content, withheld } = comment;
  const by = [
    author_name,
    formatMinute(created, timeZone),
    ...(reply_to ? [`回复 ${reply_to.name}`] : []),
    ...(withheld ? [STATES[withheld.state]] : []),
  ];
  return x('article', [
    x('h2', title === '' ? '一篇看不到的文章' : `《${title}》`),
    x('p', { class: 'by' }, by.join(' · ')),
    ...(quote === '' ? [] : [x('blockquote', commentText(quote))]),
    x('p', { class: 'text' }, commentText(content)),
  ]);
}

/** Yields a page of comments for a browser, with one comment in memory. */
export async function* commentsPage(
  comments: AsyncIterable<Comment>,
  timeZone: string,
): AsyncGenerator<Uint8Array> {
  const head = x('head', [
    x('meta', { charset: 'utf-8' }),
    x('meta', { name: 'viewport', content: 'width=device-width,initial-scale=1' }),
    x('title', '评论'),
    x('style', STYLE),
  ]);
  const written = (node: Element) => Buffer.from(`${toXml(node, { closeEmptyElements: true })}\n`);
  // The end tags of html and body may be omitted, and so may the start tag of body.
  yield Buffer.from('<!doctype html>\n');
  yield written(head);
  yield written(x('h1', '我的评论，和我的文章下的评论'));
  let count = 0;
  for await (const comment of comments) {
    count++;
    yield written(articleOf(comment, timeZone));
  }
  if (count === 0) yield written(x('p', '还没有评论。'));
}
