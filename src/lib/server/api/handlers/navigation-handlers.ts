import { cardTags, pageTags } from '../../../shared/pages/page-tags.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { addressField } from '../../../shared/urls.ts';
import { toActivity } from '../../activity/activity-service.ts';
import type { ListedArticle } from '../../articles/core/article-wire.ts';
import type { Services } from '../../services.ts';
import { answerWith, type Handlers } from '../handler.ts';

const itemsOf = (articles: readonly ListedArticle[]) => articles.map(({ item }) => item);
const idsOf = (items: readonly { _id: string }[]) => ({ items: items.map(({ _id }) => ({ id: _id })) });
const toTitle = (article: { id: string; title: string; address: string } | null) =>
  article && { _id: article.id, title: article.title, ...addressField(article) };

const ACTIVITY_TAGS = [pageTags.search, pageTags.activity];
const askedIn = ({ create_user, type }: { create_user: string; type: 'page' | 'comment' | '' }) => ({
  username: create_user,
  kind: type === '' ? null : type,
});

export const navigationHandlers = ({
  activities,
  archive,
  articles,
  friends,
  pages,
  picks,
  related,
  users,
}: Services) =>
  ({
    articleWays: {
      shared: async (input) => {
        const found = (await articles.find(input.id, null)) ?? refuse('ARTICLE_NOT_FOUND');
        const author = await users.info(found.username, null);
        return {
          previous: toTitle(found.neighbours.previous),
          next: toTitle(found.neighbours.next),
          related: itemsOf(await related.list(input.id)),
          author,
        };
      },
      tagsOf: ({ id }, { author, related: others }) => [
        pageTags.article(id),
        pageTags.author(author._id),
        pageTags.profile(author.username),
        pageTags.avatar(author.username),
        ...cardTags(idsOf(others)),
      ],
    },
    pageTree: {
      shared: async () => ({ pages: await pages.published() }),
      tagsOf: () => [pageTags.pages],
    },
    staffPages: async () => ({ pages: await pages.tree() }),
    pageCreate: ({ input, viewer }) => pages.create(input, viewer),
    pageChange: answerWith('页面的地址已保存', ({ input, viewer }) => pages.change(input, viewer)),
    pageOrder: answerWith('页面的顺序已保存', ({ input, viewer }) => pages.order(input, viewer)),
    friendList: {
      shared: async () => ({ friends: await friends.list() }),
      tagsOf: () => [pageTags.friends],
    },
    friendCircle: {
      shared: ({ before }) => friends.circle(before),
      // Cursors that no page links to have no bound.
      tagsOf: ({ before }, { entries }) =>
        before === undefined || entries.length > 0 ? [pageTags.friends] : null,
    },
    friendApply: answerWith('已收到申请，谢谢你', ({ input, from }) => friends.apply(input, from)),
    staffFriends: async () => ({ friends: await friends.listAll() }),
    friendSave: answerWith('友链已保存', ({ input, viewer }) => friends.save(input, viewer)),
    friendDecide: answerWith('已处理', ({ input, viewer }) => friends.decide(input, viewer)),
    friendOrder: answerWith('友链的顺序已保存', ({ input, viewer }) => friends.order(input, viewer)),
    worthReading: {
      shared: async () => {
        const { pinned, read, month } = await picks.list();
        return { pinned: itemsOf(pinned), read: itemsOf(read), month };
      },
      tagsOf: (_, { pinned, read }) => [
        pageTags.picks,
        pageTags.lists,
        ...cardTags(idsOf([...pinned, ...read])),
      ],
    },
    archive: {
      shared: async (input) => {
        const { year, month, username, ...part } = input;
        if (username !== undefined) {
          const user = (await users.findShown(username)) ?? refuse('USER_NOT_FOUND');
          return { ...(await archive.listOfAuthor(user._id, part)), months: [] };
        }
        const list = await (year === undefined
          ? archive.listAll(part)
          : archive.listOf({ year, month }, part));
        return { ...list, months: await archive.months() };
      },
      tagsOf: (_, { result }) => [pageTags.lists, ...cardTags(idsOf(result))],
    },
    activityList: {
      shared: async (input) => {
        const { result, total } = await activities.list(askedIn(input), input);
        return { result: result.map(toActivity), total };
      },
      // Users without activities and pages beyond the last are not cached: their number has no bound.
      tagsOf: ({ page, pageSize }, { total }) => ((page - 1) * pageSize < total ? ACTIVITY_TAGS : null),
    },
    activityNum: {
      shared: (input) => activities.count(askedIn(input)),
      tagsOf: (_, total) => (total > 0 ? ACTIVITY_TAGS : null),
    },
  }) satisfies Partial<Handlers>;
