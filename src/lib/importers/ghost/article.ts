import type { ForeignArticle } from '../site/foreign-site.ts';
import { text } from './cards.ts';
import { addressOf, contentOf } from './content.ts';
import { instantOf, isPage, type Index } from './scan.ts';

type Post = Record<string, unknown>;

/**
 * @param origin of the old site; undefined if the operator has not given it
 * @param omits whether hidden parts are left out
 */
export async function articleOf(
  post: Post,
  index: Index,
  origin: string | undefined,
  omits: boolean,
): Promise<ForeignArticle> {
  const id = String(post['id']);
  const texts = {
    lexical: text(post['lexical']),
    mobiledoc: text(post['mobiledoc']),
    html: text(post['html']),
  };
  const { markdown, isSecret, warnings } = await contentOf(texts, origin, omits);
  const authors = (index.postAuthors.get(id) ?? [])
    .map((each) => each.id)
    .filter((each) => index.users.has(each));
  const [author = text(post['author_id'])] = authors;
  const status = text(post['status']);
  const isOut = status === 'published' || status === 'sent';
  const created =
    instantOf(isOut ? post['published_at'] : post['created_at']) ?? instantOf(post['created_at']);
  const description = text(post['custom_excerpt']) || (index.descriptions.get(id) ?? '');
  const slug = text(post['slug']);
  return {
    key: id,
    author: index.users.has(author) ? author : (index.users.keys().next().value ?? author),
    title: text(post['title']),
    content: markdown,
    tags: tagsOf(id, index),
    status: isOut ? 'normal' : 'draft',
    isSecret: isSecret || status === 'sent' || !isPublic(post),
    created,
    updated: instantOf(post['updated_at']),
    description: description || undefined,
    cover: addressOf(text(post['feature_image']) || text(post['image'])) || undefined,
    isPinned: post['featured'] === true || post['featured'] === 1 || undefined,
    page: isPage(post) ? {} : undefined,
    formerPaths: slug === '' ? [] : [`/${slug}/`],
    warnings: [...warnings, ...sayings(post, authors, index)],
  };
}

const isPublic = ({ visibility }: Post): boolean => text(visibility) === '' || visibility === 'public';

function tagsOf(id: string, { postTags, tags }: Index): string[] {
  return (postTags.get(id) ?? []).flatMap((each) => {
    const tag = tags.get(each.id);
    return tag && !tag.isInternal && tag.name !== '' ? [tag.name] : [];
  });
}

function sayings(post: Post, authors: readonly string[], { users }: Index): string[] {
  const others = authors.slice(1).map((id) => users.get(id)?.name ?? id);
  const { status, visibility } = post;
  const hasCode = text(post['codeinjection_head']) !== '' || text(post['codeinjection_foot']) !== '';
  const canonical = text(post['canonical_url']);
  return [
    ...(isPublic(post) ? [] : [`只给会员看的文章（${text(visibility)}），导入为私密文章`]),
    ...(status === 'sent' ? ['只用邮件发过的文章，导入为私密文章'] : []),
    ...(status === 'scheduled' ? ['定时发布的文章，已作为草稿导入'] : []),
    ...(others.length > 0 ? [`本站的文章只有一位作者，没有带上：${others.join('、')}`] : []),
    ...(hasCode ? ['文章里注入的代码没有导入'] : []),
    ...(canonical === '' ? [] : [`规范网址没有导入：${canonical}`]),
  ];
}
