import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { refuse } from '../../../../contract/rules/errors.ts';
import { articleUrl, editUrl, pageUrl } from '../../../../shared/urls.ts';
import type { Ask } from '../ask.ts';
import { plannedTime, readOwn, saveOwn, scheduledTime } from '../own-article.ts';
import { COMMENT_CHOICES, listReceived } from './comments.ts';

interface Session {
  ask: Ask;
  username: string;
  scopes: readonly string[];
  origin: string;
}

const PAGE_SIZE = 20;

const id = z.string().describe('文章编号，24 位十六进制');
const page = z.int().min(1).optional().describe('页码，从 1 开始');
const draftFields = {
  title: z.string().optional().describe('标题'),
  content: z.string().optional().describe('正文，Markdown'),
  tags: z.array(z.string()).optional().describe('标签，最多 10 个；会替换原有的标签'),
  description: z.string().optional().describe('摘要，最多 200 字'),
};
const READS = { readOnlyHint: true, openWorldHint: false };
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

const answer = (...parts: unknown[]) => ({
  content: parts.map((part) => ({
    type: 'text' as const,
    text: typeof part === 'string' ? part : JSON.stringify(part),
  })),
});

const scheduledField = (time: string | null | undefined) =>
  typeof time === 'string' ? { scheduled_time: time } : {};

/**
 * Registers the tools, which make calls of the contract for the token's account. A refusal becomes the tool's
 * error. Only `publish_article` shows readers anything but comments.
 */
export function registerTools(server: McpServer, session: Session): void {
  registerReading(server, session);
  registerWriting(server, session);
  registerComments(server, session);
}

function registerReading(server: McpServer, { ask, username, scopes, origin }: Session): void {
  server.registerTool(
    'search_articles',
    {
      title: '搜索文章',
      description: '在全站公开的文章里搜索，返回编号、标题、作者和命中的片段（HTML，<mark> 标出命中的词）',
      inputSchema: {
        keywords: z.string().describe('搜索词'),
        author: z.string().optional().describe('只搜这位作者'),
        tag: z.string().optional().describe('只搜这个标签'),
        page,
      },
      annotations: READS,
    },
    async (input) => {
      const { result, total } = await ask('searchArticles', { ...input, pageSize: PAGE_SIZE });
      const articles = result.map(
        ({ _id, address, page, title, create_user, create_time, tags, highlight }) => ({
          id: _id,
          title,
          author: create_user,
          time: create_time,
          tags,
          url: origin + articleUrl(_id, page === undefined ? address : pageUrl(page)),
          excerpt: highlight?.content ?? '',
        }),
      );
      return answer({ articles, total });
    },
  );

  server.registerTool(
    'read_article',
    {
      title: '读文章',
      description: '读一篇文章的 Markdown 原文：公开的文章，或自己的草稿和未发布的修改',
      inputSchema: { id },
      annotations: READS,
    },
    async (input) => {
      const { create_user, update_time, address } = await ask('articleDetail', input);
      const isOwn = create_user === username && scopes.includes('articles:read');
      const own = isOwn ? await readOwn(ask, input.id) : null;
      const { title, tags, description, content, status } = own
        ? { ...own.text, status: own.status }
        : await ask('articleFile', input);
      const url = origin + articleUrl(input.id, address);
      const scheduled = scheduledField(own?.scheduled);
      return answer(
        {
          id: input.id,
          title,
          author: create_user,
          update_time,
          status,
          ...scheduled,
          tags,
          description,
          url,
        },
        content,
      );
    },
  );

  server.registerTool(
    'list_own_articles',
    {
      title: '列出自己的文章',
      description: '列出自己已发布的文章或草稿，新的在前',
      inputSchema: {
        status: z.enum(['normal', 'draft']).optional().describe('normal 为已发布（默认），draft 为草稿'),
        keywords: z.string().optional().describe('标题、标签或摘要里的词'),
        page,
      },
      annotations: READS,
    },
    async (input) => {
      const { result, total } = await ask('ownArticleList', {
        ...input,
        content: username,
        pageSize: PAGE_SIZE,
      });
      const articles = result.map(
        ({ _id, address, title, tags, status, secret, create_time, update_time, changed, schedule }) => ({
          id: _id,
          title,
          tags,
          status,
          ...scheduledField(scheduledTime(schedule)),
          is_secret: secret,
          has_unpublished_change: changed ?? false,
          create_time,
          update_time,
          url: origin + articleUrl(_id, address),
        }),
      );
      return answer({ articles, total });
    },
  );
}

function registerWriting(server: McpServer, { ask, origin }: Session): void {
  const toAnswer = (article: string, { notes }: { notes?: string[] | undefined }) =>
    answer({ id: article, edit_url: origin + editUrl(article), ...(notes && { notes }) });

  server.registerTool(
    'create_draft',
    {
      title: '新建草稿',
      description: '新建一篇草稿，读者看不到；标题和正文至少要有一样',
      inputSchema: draftFields,
      annotations: WRITES,
    },
    async (input) => {
      const created = await ask('articleCreate', { ...input, status: 'draft' });
      return toAnswer(created.id, created);
    },
  );

  server.registerTool(
    'update_draft',
    {
      title: '修改草稿',
      description:
        '修改自己的草稿，没有给出的项不变。已发布的文章也可以改：改动存为未发布的修改，读者看到的不变',
      inputSchema: { id, ...draftFields },
      annotations: WRITES,
    },
    async ({ id: article, ...changes }) => {
      const saved = await saveOwn(ask, await readOwn(ask, article), changes, { publishes: false });
      return toAnswer(article, saved);
    },
  );

  server.registerTool(
    'publish_article',
    {
      title: '发布文章',
      description:
        '把自己的草稿或未发布的修改公开给读者。只在作者明确要求发布时使用；已定时的文章（scheduled_time）会按时发布',
      inputSchema: {
        id,
        early: z
          .boolean()
          .optional()
          .describe('已定时的文章是否不等到时间就发布，只在作者明确要求提前时为 true'),
      },
      annotations: { ...WRITES, destructiveHint: true, openWorldHint: true },
    },
    async (input) => {
      const own = await readOwn(ask, input.id);
      const planned = plannedTime(own);
      if (planned !== null && input.early !== true)
        refuse('FIELD_INVALID', { text: `文章定在 ${planned} 发布；要提前发布，请先问作者` });
      await saveOwn(ask, own, {}, { publishes: true });
      const { address } = await ask('articleDetail', input);
      return answer({ id: input.id, url: origin + articleUrl(input.id, address) });
    },
  );
}

function registerComments(server: McpServer, { ask }: Session): void {
  server.registerTool(
    'list_comments',
    {
      title: '列出收到的评论',
      description: '列出最近 100 条收到的评论里还没回复（默认）、还没读或全部的评论',
      inputSchema: { show: z.enum(COMMENT_CHOICES).optional().describe('unanswered、unread 或 all') },
      annotations: READS,
    },
    async ({ show = 'unanswered' }) => answer(await listReceived(ask, show)),
  );

  server.registerTool(
    'answer_comment',
    {
      title: '回复评论',
      description: '公开回复一条评论，并把它标为已读。编号和用户名用 list_comments 给出的',
      inputSchema: {
        article_id: id,
        comment_id: z.string().describe('评论编号'),
        to: z.string().describe('评论者的用户名'),
        content: z.string().describe('回复的内容，最多 2000 字'),
      },
      annotations: { ...WRITES, openWorldHint: true },
    },
    async ({ article_id, comment_id, to, content }) => {
      const { _id } = await ask('commentCreate', {
        page_id: article_id,
        reply_id: comment_id,
        reply_user: to,
        content,
      });
      await ask('readComments', { ids: [comment_id] });
      return answer({ comment_id: _id });
    },
  );
}
