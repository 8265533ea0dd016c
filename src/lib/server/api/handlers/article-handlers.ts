import { pageTags } from '../../../shared/pages/page-tags.ts';
import type { ArticleListItem, List, Schedule } from '../../../contract/entities.ts';
import type { OwnSort } from '../../../contract/rules/list-filters.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { ArticleList } from '../../articles/core/article-service.ts';
import { addressField } from '../../../shared/urls.ts';
import type { PageRequest } from '../../shared/paging.ts';
import type { Services } from '../../services.ts';
import { clientName } from '../client-name.ts';
import { answerWith, type Handlers } from '../handler.ts';

const NO_ARTICLES: List<ArticleListItem> = { result: [], total: 0 };

const toWire = (list: Pick<ArticleList, 'result' | 'total'>): List<ArticleListItem> => ({
  result: list.result.map(({ item }) => item),
  total: list.total,
});

const publicSort = (sort: OwnSort) => (sort === 'update_time' ? sort : 'create_time');

const withSchedule = (item: ArticleListItem, schedule: Schedule | undefined): ArticleListItem =>
  schedule ? { ...item, schedule } : item;

/** Any change to a public article may change a list. Pages beyond the last are not cached. */
const listTags = ({ page, pageSize }: PageRequest, { total }: { total: number }) =>
  (page - 1) * pageSize < total ? [pageTags.search] : null;

export const articleHandlers = ({
  articles,
  pages,
  revisions,
  schedules,
  reviews,
  settings,
  slugs,
  tags,
  trash,
  users,
  versions,
}: Services) =>
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
          const user = await users.findShown(input.content);
          if (!user) return NO_ARTICLES;
          if (input.pinned) {
            const pinned = await articles.listPinned(user._id);
            return toWire({ result: pinned, total: pinned.length });
          }
          return toWire(await articles.list({ of: 'author', authorId: user._id }, input, input.sort));
        }
        return toWire(await articles.list({ of: 'public' }, input, input.sort));
      },
      tagsOf: listTags,
    },
    searchArticles: {
      shared: async (input) => {
        if (input.keywords === '') return toWire(await articles.list({ of: 'public' }, input));
        const { author, tag, order } = input;
        const found = await articles.search(input.keywords, input, {
          author: author || undefined,
          tag: tag || undefined,
          order: order || undefined,
        });
        const { total, exact, authors, authorNames, tags: under, similar, named } = found;
        const result = found.result.map(({ id, item }) => ({ ...item, highlight: found.highlights.get(id) }));
        // Old clients expect only the list.
        return input.details
          ? { result, total, exact, authors, author_names: authorNames, tags: under, similar, ...named }
          : { result, total };
      },
      tagsOf: listTags,
    },
    suggest: {
      shared: async (input) => {
        const { titles, authorNames, ...names } = await articles.suggest(input.q);
        const addresses = await slugs.addressesOf(titles.map(({ id }) => id));
        const toItem = ({ id, title }: { id: string; title: string }) => ({
          _id: id,
          title,
          ...addressField({ address: addresses.get(id) ?? '' }),
        });
        return { titles: titles.map(toItem), author_names: authorNames, ...names };
      },
      tagsOf: () => [pageTags.search],
    },
    articleDetail: {
      answer: ({ input, viewer }) => articles.read(input.id, viewer),
      tagsOf: ({ id }) => [pageTags.article(id)],
    },
    articleAddress: {
      answer: async ({ input, viewer }) =>
        (await slugs.find(input.slug, viewer)) ?? refuse('ARTICLE_NOT_FOUND'),
      tagsOf: (_, { id }) => [pageTags.article(id)],
    },
    slugSuggest: ({ input, viewer }) => slugs.suggest({ ...input, id: input.id ?? '' }, viewer),
    articleSource: async ({ input, viewer }) =>
      articles.readSource(input.id, await pages.editorOf(input.id, viewer)),
    ownArticleList: async ({ input, viewer }) => {
      const name = input.content.trim();
      const user = name === '' ? null : await users.findShown(name);
      if (name !== '' && user?._id !== viewer.id) {
        const isPublicKind = input.status === 'normal' && input.secret !== true;
        if (!user || !isPublicKind) return NO_ARTICLES;
        const request = { page: input.page, pageSize: Math.min(input.pageSize, BOUNDS.pageSize) };
        return toWire(
          await articles.list({ of: 'author', authorId: user._id }, request, publicSort(input.sort)),
        );
      }
      const { status, secret } = input;
      const kind = status === 'draft' || secret === undefined ? { status } : { status, secret };
      const own = await articles.listOwn({ ...input, ...kind }, viewer);
      const waiting = await schedules.ofAuthor(viewer);
      const notes = await reviews.notesOf(own.result);
      const result = own.result.map((item) => ({
        ...withSchedule(item, waiting.get(item._id)),
        ...notes.get(item._id),
      }));
      return { ...own, result };
    },
    articleCreate: async ({ input, viewer, userAgent, told }) => ({
      ...(await articles.create({ ...input, saved_by: clientName(userAgent) }, viewer)),
      ...told,
    }),
    articleEdit: async ({ input, viewer, userAgent, told }) => {
      const editor = await pages.editorOf(input.id, viewer);
      return { ...(await articles.edit({ ...input, saved_by: clientName(userAgent) }, editor)), ...told };
    },
    articleSettings: async ({ input, viewer, userAgent }) => ({
      results: await settings.change(input, viewer, clientName(userAgent)),
    }),
    articleDelete: answerWith('文章已删除', async ({ input, viewer }) =>
      articles.remove(input.id, await pages.editorOf(input.id, viewer)),
    ),
    scheduleSet: async ({ input, viewer }) => schedules.set(input, await pages.editorOf(input.id, viewer)),
    scheduleFind: async ({ input, viewer }) => ({
      schedule: await schedules.find(input.id, await pages.editorOf(input.id, viewer)),
    }),
    scheduleCancel: answerWith('定时发布已取消', async ({ input, viewer }) =>
      schedules.cancel(input.id, await pages.editorOf(input.id, viewer)),
    ),
    versionList: async ({ input, viewer }) =>
      versions.list(input.id, input, await pages.editorOf(input.id, viewer)),
    versionFind: async ({ input, viewer }) =>
      versions.read(input.id, input.version, await pages.editorOf(input.id, viewer)),
    trashList: ({ input, viewer }) => trash.list(input, viewer),
    trashRestore: ({ input, viewer }) => trash.restore(input.id, viewer),
    trashPurge: answerWith('文章已永久删除', ({ input, viewer }) => trash.purge(input.id, viewer)),
    trashEmpty: async ({ input, viewer }) => {
      const until = input.until === undefined ? undefined : Date.parse(input.until);
      return { purged: await trash.empty(viewer, until) };
    },
    revisionSave: async ({ input, viewer, userAgent, told }) => {
      const editor = await pages.editorOf(input.id, viewer);
      return { ...(await revisions.save({ ...input, saved_by: clientName(userAgent) }, editor)), ...told };
    },
    revisionDelete: answerWith('未发布的修改已删除', async ({ input, viewer }) =>
      revisions.remove(input.id, await pages.editorOf(input.id, viewer)),
    ),
  }) satisfies Partial<Handlers>;
