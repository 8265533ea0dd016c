import { PAGE_SIZE } from '../contract/bounds.ts';
import type { Highlight } from '../contract/entities.ts';
import { idField } from '../contract/fields.ts';
import type { ArticleList, ArticleService } from '../server/articles/article-service.ts';
import type { Services } from '../server/services.ts';
import { toCard, toPage } from './article-card.ts';
import type { BlogViewer } from './backend.ts';
import type { ArticleCard, ArticlePage, Blog, Paged, TocItem } from './blog.ts';

type FoundArticle = NonNullable<Awaited<ReturnType<ArticleService['find']>>>;

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
      return row && toArticlePage(row);
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

function toPaged(list: ArticleList, highlights?: Map<string, Highlight>): Paged<ArticleCard> {
  const { result, ...rest } = list;
  const items = result.map(({ id, item, summary }): ArticleCard => {
    const highlight = highlights?.get(id);
    return { ...toCard(item, summary), ...(highlight ? { highlight } : {}) };
  });
  return { items, ...rest };
}

function toArticlePage({ article, html, toc, summary, ...found }: FoundArticle): ArticlePage {
  return {
    ...toPage(article, { html, toc: JSON.parse(toc) as TocItem[], summary }),
    authorAvatar: found.avatar,
    isTooComplex: found.isTooComplex,
    ...found.neighbours,
  };
}
