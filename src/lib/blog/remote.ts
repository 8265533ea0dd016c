import { z } from 'zod';
import { COMMENTS_SHOWN, PAGE_SIZE } from '../contract/bounds.ts';
import type { CallName } from '../contract/calls.ts';
import { Article, ArticleListItem, Comment, listOf, Tag, User } from '../contract/entities.ts';
import type { FormFields } from '../client/form.ts';
import type { Rendered } from '../markdown/render.ts';
import type { ArticleCard, ArticlePage, Blog, Paged } from './blog.ts';

/** What the blog of another server is read through. */
export interface RemoteParts {
  /** The data of a call, or null where the server refuses. Throws UNAVAILABLE without an answer of the contract. */
  ask(name: CallName, fields: FormFields): Promise<unknown>;
  /** What is thrown for data that is none of the contract's. */
  unavailable(): Error;
  /** Markdown as pages show it; never throws. */
  render(source: string): Promise<Pick<Rendered, 'html' | 'toc' | 'summary'>>;
  /** The opening of an article in plain text; never throws. */
  summarise(source: string): string;
}

// Not every server tells when an article was last changed, or knows types.
const RemoteArticle = Article.partial({ update_time: true, type: true });
const RemoteItem = ArticleListItem.partial({ update_time: true, type: true });
type RemoteItem = z.infer<typeof RemoteItem>;
const RemoteUser = User.extend({ avatar: z.string().catch(''), bio: z.string().catch('') });

const Articles = listOf(RemoteItem);
const Tags = listOf(Tag);
const Comments = z.array(Comment);

/** Safe HTML as the contract promises it: text, character references and whole pairs of `<mark>`. */
const MARKED = /^(?:[^<>]|<mark>[^<>]*<\/mark>)*$/;

/**
 * The blog of a server that speaks CONTRACT.md, as its calls show it. What the contract has no call for is left out: neighbours of an
 * article, the file names of avatars.
 */
export function createRemoteBlog({ ask, unavailable, render, summarise }: RemoteParts): Blog {
  /** What a call answers, or null where it refuses. */
  async function read<T extends z.ZodType>(
    schema: T,
    name: CallName,
    fields: FormFields,
  ): Promise<z.infer<T> | null> {
    const data = await ask(name, fields);
    if (data === null) return null;
    const parsed = schema.safeParse(data);
    if (!parsed.success) throw Object.assign(unavailable(), { cause: parsed.error });
    return parsed.data;
  }

  /** A page of a list, the last one where `page` is beyond it; an empty list where the call is refused. */
  async function readList<T>(
    schema: z.ZodType<{ result: T[]; total: number }>,
    name: CallName,
    fields: FormFields,
    page: number,
  ): Promise<Paged<T>> {
    const at = async (number: number) =>
      (await read(schema, name, { ...fields, page: number, pageSize: PAGE_SIZE })) ?? {
        result: [],
        total: 0,
      };
    let { result, total } = await at(page);
    const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
    // Some servers clamp the page, as the contract says; some answer with nothing.
    if (page > pageCount && result.length === 0 && total > 0) ({ result, total } = await at(pageCount));
    return { items: result.slice(0, PAGE_SIZE), total, page: Math.min(page, pageCount), pageCount };
  }

  /** A page of comments. A server that knows no pages of them answers all, without positions. */
  async function readComments(articleId: string, page: number): Promise<Paged<Comment>> {
    const at = async (number: number) => {
      const fields = { page_id: articleId, page: number, pageSize: COMMENTS_SHOWN };
      return (await read(Comments, 'articleComments', fields)) ?? [];
    };
    const answer = await at(page);
    const end = answer.at(-1)?.position;
    // The last page may be that of an earlier number than was asked for; only the first tells how many comments there are.
    const [newest] = end === 1 && page > 1 ? await at(1) : answer;
    const before = end === 1 ? 0 : (page - 1) * COMMENTS_SHOWN;
    const total = end === undefined ? answer.length : before + (newest?.position ?? 0);
    const pageCount = Math.max(1, Math.ceil(total / COMMENTS_SHOWN));
    const shown = Math.min(page, pageCount);
    const items =
      end === undefined ? answer.slice((shown - 1) * COMMENTS_SHOWN, shown * COMMENTS_SHOWN) : answer;
    return { items, total, page: shown, pageCount };
  }

  const toCard = (item: RemoteItem): ArticleCard => ({
    id: item._id,
    title: item.title,
    tags: item.tags,
    author: item.create_user,
    createTime: item.create_time,
    updateTime: item.update_time ?? item.create_time,
    summary: summarise(item.content),
    isSecret: item.secret,
    ...(item.highlight && Object.values(item.highlight).every((html) => MARKED.test(html))
      ? { highlight: item.highlight }
      : {}),
  });
  const readCards = async (name: CallName, fields: FormFields, page: number): Promise<Paged<ArticleCard>> => {
    const list = await readList(Articles, name, fields, page);
    // Pages of lists are everybody's, whatever a server puts into them.
    const items = list.items.filter(({ status, secret }) => status === 'normal' && !secret);
    return { ...list, items: items.map(toCard) };
  };
  const listBy = (type: '' | 'tag' | 'create_user', content: string, page: number) =>
    readCards('articleList', { type, content, status: 'normal', secret: false, sort: 'create_time' }, page);

  return {
    listArticles: (page) => listBy('', '', page),
    searchArticles: (keywords, page) => readCards('searchArticles', { keywords }, page),
    async readArticle(id) {
      const article = await read(RemoteArticle, 'articleDetail', { id });
      if (!article || article.status === 'cancel') return null;
      return toPage(article, await render(article.content));
    },
    listComments: readComments,
    listTags: (page) => readList(Tags, 'tagList', {}, page),
    async readTag(name, page) {
      const [tag, articles] = await Promise.all([
        read(Tag, 'tagDetail', { name }),
        listBy('tag', name, page),
      ]);
      return tag && { tag, articles };
    },
    async readProfile(username, page) {
      const [user, articles] = await Promise.all([
        read(RemoteUser, 'userDetail', { username }),
        listBy('create_user', username, page),
      ]);
      return user && { user, articles };
    },
  };
}

function toPage(
  article: z.infer<typeof RemoteArticle>,
  { html, toc, summary }: Pick<Rendered, 'html' | 'toc' | 'summary'>,
): ArticlePage {
  const isDraft = article.status === 'draft';
  return {
    id: article._id,
    title: article.title,
    tags: article.tags,
    author: article.create_user,
    createTime: article.create_time,
    updateTime: article.update_time ?? article.create_time,
    summary,
    html,
    toc,
    isPublic: !isDraft && !article.secret,
    isDraft,
    isTooComplex: false,
    previous: null,
    next: null,
  };
}
