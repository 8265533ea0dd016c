import { BOUNDS, PAGE_SIZE } from '../contract/rules/bounds.ts';
import type { Highlight } from '../contract/entities.ts';
import type { SiteOptions } from '../contract/site-options.ts';
import { idField } from '../contract/fields.ts';
import { apiDocument } from '../contract/openapi/document.ts';
import type { ArticleList, ArticleService } from './articles/core/article-service.ts';
import type { ListedArticle } from './articles/core/article-wire.ts';
import type { Services } from './services.ts';
import { toCard, toFeedArticle, toPage } from '../blog/article-card.ts';
import type { BlogViewer } from '../blog/backend.ts';
import type { ActivityItem, ArticleCard, ArticlePage, Blog, Paged, TocItem } from '../blog/blog.ts';

type FoundArticle = NonNullable<Awaited<ReturnType<ArticleService['find']>>>;

export function createLocalBlog(
  {
    activities,
    archive,
    articles,
    comments,
    feeds,
    formerPaths,
    friends,
    inspections,
    options,
    pages,
    picks,
    related,
    series,
    sitemaps,
    slugs,
    tags,
    users,
  }: Services,
  viewer: BlogViewer | null,
): Blog {
  const asked = (page: number) => ({ page, pageSize: PAGE_SIZE });
  return {
    async listArticles(page) {
      return toPaged(await articles.list({ of: 'public' }, asked(page)));
    },
    async searchArticles(keywords, page, { author, tag, byTime }) {
      const order = byTime ? 'time' : undefined;
      const found = await articles.search(keywords, asked(page), { author, tag, order });
      const { exact, authors, authorNames, tags: under, named, similar } = found;
      const facts = { exact, authors, authorNames, tags: under, named, similar };
      return { ...toPaged(found, found.highlights), ...facts };
    },
    async readArticle(id) {
      const known = idField.safeParse(id);
      if (!known.success) return null;
      const editor = viewer && (await pages.editorOf(known.data, viewer));
      const visible = await articles.find(known.data, editor);
      const inspected = visible ? null : await inspections.ofPage(known.data, viewer);
      const row = visible ?? (inspected && (await articles.find(known.data, inspected.author)));
      if (!row) return null;
      return {
        ...(inspected ? { inspected: { note: inspected.note, words: inspected.words } } : {}),
        ...toArticlePage(row, await options.read()),
        seriesPlace: await series.placeOf(row.id, row.series),
        related: (await related.list(row.id)).map(toListedCard),
      };
    },
    listComments: (articleId, page, order) => comments.pageOfArticle(articleId, { page, order }, viewer),
    async findCommentPlace(articleId, id) {
      const known = [articleId, id].map((each) => idField.safeParse(each).data);
      const page = known[0] && known[1] ? await comments.pageOf(known[0], known[1], viewer) : null;
      if (page === null) return null;
      const [article] = await articles.listPublic([articleId]);
      return { page, address: article?.item.address ?? '' };
    },
    findBySlug: (slug) => slugs.find(slug, viewer),
    async readWorthReading() {
      const { pinned, read, month } = await picks.list();
      return { pinned: pinned.map(toListedCard), mostRead: read.map(toListedCard), month };
    },
    async readArchive({ year, month }, page) {
      const part = { page, pageSize: BOUNDS.archivePageSize };
      const list = await (year === undefined ? archive.listAll(part) : archive.listOf({ year, month }, part));
      return { months: await archive.months(), articles: toItems(list) };
    },
    async readAuthorArchive(username, page) {
      const user = await users.findShown(username);
      if (!user) return null;
      const list = await archive.listOfAuthor(user._id, { page, pageSize: BOUNDS.archivePageSize });
      return { user, articles: toItems(list) };
    },
    async listTags(page) {
      return toItems(await tags.list({ ...asked(page), used: true }));
    },
    async readTag(name, page) {
      const row = await tags.findVisible(name, viewer);
      if (!row) return null;
      const list = await articles.list({ of: 'tag', tagId: row.id }, asked(page));
      return { tag: await tags.detail(name, viewer), articles: toPaged(list) };
    },
    async readProfile(username, page) {
      const user = await users.findShown(username);
      if (!user) return null;
      const list = await articles.list({ of: 'author', authorId: user._id }, asked(page));
      const isFirst = list.page === 1;
      return {
        user,
        articles: toPaged(list),
        pinned: isFirst ? (await articles.listPinned(user._id)).map(toListedCard) : [],
        series: isFirst ? (await series.list(user._id, null)).result : [],
      };
    },
    async readActivities(username, page) {
      const user = await users.findShown(username);
      if (!user) return null;
      const { page_num: articleCount } = await users.info(user.username, null);
      const { result, ...place } = await activities.list(
        { username: user.username, kind: null },
        asked(page),
      );
      const items = result.map((entry): ActivityItem =>
        entry.type === 'page' ? { type: 'page', article: toListedCard(entry.article) } : entry,
      );
      return { user, articleCount, activities: { items, ...place } };
    },
    async readSeries(id) {
      const known = idField.safeParse(id);
      if (!known.success) return null;
      const found = await series.find(known.data, viewer);
      return found && { series: found.series, articles: found.articles.map(toListedCard) };
    },
    async readFeed(kind, name) {
      const feed = await feeds.find(kind, name);
      return feed && { ...feed, items: feed.items.map(toFeedArticle) };
    },
    listSitemaps: () => sitemaps.list(),
    readSitemap: (kind, part) => sitemaps.entriesOf(kind, part),
    async readSource(id) {
      const known = idField.safeParse(id);
      return known.success ? articles.findPublic(known.data) : null;
    },
    listPages: () => pages.published(),
    listFriends: () => friends.list(),
    readCircle: (before) => friends.circle(before),
    findFormerPath: (address) => formerPaths.find(address),
    readRole: () => Promise.resolve(viewer && (viewer.role ?? 'author')),
    async listNewest() {
      const list = await articles.list({ of: 'public' }, { page: 1, pageSize: BOUNDS.pageSize });
      return list.result.map(toListedCard);
    },
    describeApi: apiDocument,
  };
}

const toListedCard = ({ item, summary }: ListedArticle): ArticleCard => toCard(item, summary);

const toItems = <T>({ result, ...place }: Omit<Paged<T>, 'items'> & { result: T[] }): Paged<T> => ({
  items: result,
  ...place,
});

function toPaged(list: ArticleList, highlights?: Map<string, Highlight>): Paged<ArticleCard> {
  const { result, total, page, pageCount } = list;
  const items = result.map((listed): ArticleCard => {
    const highlight = highlights?.get(listed.id);
    return { ...toListedCard(listed), ...(highlight ? { highlight } : {}) };
  });
  return { items, total, page, pageCount };
}

function toArticlePage(
  { article, html, toc, summary, words, ...found }: FoundArticle,
  { thanksPictures }: SiteOptions,
): ArticlePage {
  return {
    ...toPage(article, { html, toc: JSON.parse(toc) as TocItem[], summary, words }),
    authorAvatar: found.avatar,
    writer: { bio: found.bio, thanks: thanksPictures ? found.thanks : '' },
    isTooComplex: found.isTooComplex,
    ...found.neighbours,
  };
}
