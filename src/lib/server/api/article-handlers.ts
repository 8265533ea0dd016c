import { pageTags } from '../../blog/page-tags.ts';
import type { ArticleListItem, List } from '../../contract/entities.ts';
import { BOUNDS } from '../../contract/bounds.ts';
import type { ArticleList } from '../articles/article-service.ts';
import type { PageRequest } from '../paging.ts';
import type { Services } from '../services.ts';
import type { Handlers } from './handler.ts';

const NO_ARTICLES: List<ArticleListItem> = { result: [], total: 0 };

const toWire = (list: ArticleList): List<ArticleListItem> => ({
  result: list.result.map(({ item }) => item),
  total: list.total,
});

/** Any change of a public article may change a list. Pages beyond the last are not kept. */
const listTags = ({ page, pageSize }: PageRequest, { total }: { total: number }) =>
  (page - 1) * pageSize < total ? [pageTags.search] : null;

/** Articles. */
export const articleHandlers = ({ articles, revisions, tags, users }: Services) =>
  ({
    articleList: {
      answer: async ({ input, viewer }) => {
        if (input.type === 'tag') {
          const tag = await tags.findVisible(input.content, viewer);
          return tag
            ? toWire(await articles.list({ of: 'tag', tagId: tag.id }, input, input.sort))
            : NO_ARTICLES;
        }
        if (input.type === 'create_user') {
          const user = await users.find(input.content);
          return user
            ? toWire(await articles.list({ of: 'author', authorId: user._id }, input, input.sort))
            : NO_ARTICLES;
        }
        return toWire(await articles.list({ of: 'public' }, input, input.sort));
      },
      tagsOf: listTags,
    },
    searchArticles: {
      answer: async ({ input }) => {
        if (input.keywords === '') return toWire(await articles.list({ of: 'public' }, input));
        const found = await articles.search(input.keywords, input);
        const result = found.result.map(({ id, item }) => ({ ...item, highlight: found.highlights.get(id) }));
        return { result, total: found.total };
      },
      tagsOf: listTags,
    },
    articleDetail: {
      answer: ({ input, viewer }) => articles.read(input.id, viewer),
      tagsOf: ({ id }) => [pageTags.article(id)],
    },
    articleSource: ({ input, viewer }) => articles.readSource(input.id, viewer),
    ownArticleList: async ({ input, viewer }) => {
      const name = input.content.trim();
      const user = name === '' ? null : await users.find(name);
      if (name !== '' && user?._id !== viewer.id) {
        const isPublicKind = input.status === 'normal' && input.secret !== true;
        if (!user || !isPublicKind) return NO_ARTICLES;
        const request = { page: input.page, pageSize: Math.min(input.pageSize, BOUNDS.pageSize) };
        return toWire(await articles.list({ of: 'author', authorId: user._id }, request, input.sort));
      }
      const { status, secret } = input;
      const kind = status === 'draft' || secret === undefined ? { status } : { status, secret };
      return toWire(await articles.list({ of: 'own', authorId: viewer.id, ...kind }, input, input.sort));
    },
    articleCreate: ({ input, viewer }) => articles.create(input, viewer),
    articleEdit: ({ input, viewer }) => articles.edit(input, viewer),
    articleDelete: async ({ input, viewer }) => {
      await articles.remove(input.id, viewer);
      return '文章已删除';
    },
    revisionSave: ({ input, viewer }) => revisions.save(input, viewer),
    revisionDelete: async ({ input, viewer }) => {
      await revisions.remove(input.id, viewer);
      return '未发布的修改已删除';
    },
  }) satisfies Partial<Handlers>;
