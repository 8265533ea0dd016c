import { PAGE_SIZE } from '../contract/bounds.ts';
import { idField } from '../contract/fields.ts';
import type { ArticleList, ArticleService } from '../server/articles/article-service.ts';
import type { Services } from '../server/services.ts';
import type { BlogViewer } from './backend.ts';
import type { ArticleCard, ArticlePage, Blog, Paged, TocItem } from './blog.ts';

type FoundArticle = NonNullable<Awaited<ReturnType<ArticleService['find']>>>;
type CardRow = Omit<ArticleList['result'][number], 'excerpt' | 'has_more'>;

/** The blog over the services of this process, as `viewer` sees it. */
export function createLocalBlog(
  { articles, comments, tags, users }: Services,
  viewer: BlogViewer | null,
): Blog {
  const asked = (page: number) => ({ page, pageSize: PAGE_SIZE });
  return {
    async listArticles(page) {
      return toPaged(await articles.list({ of: 'public' }, asked(page)));
    },
    async searchArticles(keywords, page) {
      const found = await articles.search(keywords, asked(page));
      return toPaged(found, found.highlights);
    },
    async readArticle(id) {
      const known = idField.safeParse(id);
      const row = known.success ? await articles.find(known.data, viewer) : null;
      return row && toPage(row);
    },
    listComments: (articleId, page) => comments.pageOfArticle(articleId, page, viewer),
    async listTags(page) {
      const { result, ...rest } = await tags.list(asked(page));
      return { items: result, ...rest };
    },
    async readTag(name, page) {
      const row = await tags.findVisible(name, viewer);
      if (!row) return null;
      const list = await articles.list({ of: 'tag', tagId: row.id }, asked(page));
      return { tag: await tags.detail(name, viewer), articles: toPaged(list) };
    },
    async readProfile(username, page) {
      const user = await users.find(username);
      if (!user) return null;
      return {
        user,
        articles: toPaged(await articles.list({ of: 'author', authorId: user._id }, asked(page))),
      };
    },
  };
}

function toPaged(
  list: ArticleList,
  highlights?: Map<string, { title: string; content: string }>,
): Paged<ArticleCard> {
  const { result, ...rest } = list;
  return { items: result.map((row) => toCard(row, highlights?.get(row.id))), ...rest };
}

function toCard(row: CardRow, highlight: ArticleCard['highlight']): ArticleCard {
  return {
    id: row.id,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    author: row.username,
    createTime: new Date(row.create_time).toISOString(),
    updateTime: new Date(row.update_time).toISOString(),
    summary: row.summary,
    isSecret: row.secret === 1,
    ...(highlight ? { highlight } : {}),
  };
}

function toPage(row: FoundArticle): ArticlePage {
  return {
    ...toCard(row, undefined),
    authorAvatar: row.avatar,
    html: row.html,
    toc: JSON.parse(row.toc) as TocItem[],
    isPublic: row.is_public === 1,
    isDraft: row.status === 'draft',
    isTooComplex: row.isTooComplex,
    previous: row.neighbours.previous,
    next: row.neighbours.next,
  };
}
