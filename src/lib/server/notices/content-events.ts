import type { Article, Comment, User } from '../../contract/entities.ts';
import type { ContentData } from '../../contract/webhook-events.ts';
import { articleUrl, commentLink, userUrl } from '../../shared/urls.ts';
import type { Item } from './compose.ts';
import type { ContentNotice } from './payload.ts';

interface Parts {
  site: { readonly origin: string };
  /** As visitors see them; null if they do not. */
  articleOf(id: string): Promise<Article | null>;
  commentOf(id: string, viewer: null): Promise<Comment | null>;
  userOf(username: string): Promise<User | null>;
}

export interface DescribedContent extends Item {
  data: ContentData[keyof ContentData];
}

/** Describes changes of public content as visitors see it now; null for what they do not see. */
export function createContentEvents({ site: { origin }, articleOf, commentOf, userOf }: Parts) {
  async function describeArticle(id: string, verb: string): Promise<DescribedContent | null> {
    const article = await articleOf(id);
    if (!article) return null;
    const { title, tags, create_user: author, description = '', create_time, update_time } = article;
    const url = origin + articleUrl(id, article.address);
    const data = { id, url, title, author, tags, description, create_time, update_time };
    return { title: `${author} ${verb}《${title}》`, text: description, url, data };
  }

  async function describeComment(id: string): Promise<DescribedContent | null> {
    const comment = await commentOf(id, null);
    if (!comment) return null;
    const { create_user: author, content, create_time, page_id, page_title } = comment;
    const url = origin + commentLink(page_id, id);
    const data = { id, url, author, content, create_time, article: { id: page_id, title: page_title } };
    return { title: `${author} 评论了《${page_title}》`, text: content, url, data };
  }

  return async function describe({ event, of }: ContentNotice): Promise<DescribedContent | null> {
    switch (event) {
      case 'article.published':
        return describeArticle(of, '发表了');
      case 'article.updated':
        return describeArticle(of, '修改了');
      case 'article.withdrawn': {
        const url = origin + articleUrl(of);
        return { title: '一篇文章不再公开', text: '', url, data: { id: of, url } };
      }
      case 'comment.created':
      case 'comment.approved':
        return describeComment(of);
      case 'user.created': {
        if (!(await userOf(of))) return null;
        const url = origin + userUrl(of);
        return { title: `新用户：${of}`, text: '', url, data: { username: of, url } };
      }
    }
  };
}
