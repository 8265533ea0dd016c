import type { ForeignArticle } from '../site/foreign-site.ts';
import { contentOf } from './content.ts';
import type { Item } from './item.ts';
import type { Index } from './scan.ts';

/** @param omits whether hidden parts are left out */
export async function articleOf(item: Item, index: Index, omits: boolean): Promise<ForeignArticle> {
  const { markdown, isSecret, warnings } = await contentOf(item, index, omits);
  const { status, type, created, updated, parent } = item;
  return {
    key: item.id,
    author: item.creator || (index.authors.keys().next().value ?? ''),
    title: item.title,
    content: markdown,
    tags: tagsOf(item, index),
    status: ['draft', 'pending', 'future'].includes(status) ? 'draft' : 'normal',
    isSecret: isSecret || status === 'private' || item.hasPassword,
    created,
    updated,
    description: item.excerpt || undefined,
    cover: coverOf(item, index) || undefined,
    areCommentsClosed: item.areCommentsClosed || undefined,
    isPinned: item.isSticky || undefined,
    page: type === 'page' ? { parent: parent === '0' ? undefined : parent, order: item.order } : undefined,
    slug: item.slug || undefined,
    formerPaths: formerPathsOf(item),
    warnings: [...warnings, ...sayings(item)],
  };
}

function sayings({ status, hasPassword, created }: Item): string[] {
  const day = created === undefined ? '' : `（原定 ${new Date(created).toISOString().slice(0, 10)}）`;
  return [
    ...(hasPassword ? ['文章有密码，导入为私密文章，密码没有带过来'] : []),
    ...(status === 'private' ? ['私密文章，导入后只有作者能看'] : []),
    ...(status === 'future' ? [`定时发布的文章，已作为草稿导入${day}`] : []),
    ...(status === 'pending' ? ['待审核的文章，已作为草稿导入'] : []),
  ];
}

function coverOf({ meta }: Item, { attachments }: Index): string {
  return attachments.find(meta.get('_thumbnail_id') ?? '')?.url ?? '';
}

const NONE = new Set(['uncategorized', '未分类', '%e6%9c%aa%e5%88%86%e7%b1%bb']);

/** Returns tags and categories, then their parent categories, whose pages also listed the article. */
function tagsOf({ terms }: Item, { categories }: Index): string[] {
  const own = terms.filter(({ domain }) => domain === 'category' || domain === 'post_tag');
  const said = own.filter(({ domain, slug }) => domain === 'post_tag' || !NONE.has(slug.toLowerCase()));
  const kept = said.length > 0 ? said : own;
  const above = kept.flatMap(({ domain, slug }) => {
    const names: string[] = [];
    let next = domain === 'category' ? (categories.get(slug)?.parent ?? '') : '';
    for (
      let category = categories.get(next);
      category && names.length < 10;
      category = categories.get(next)
    ) {
      names.push(category.name);
      next = category.parent;
    }
    return names;
  });
  return [...new Set([...kept.map(({ name }) => name), ...above])].filter((name) => name !== '');
}

/** Returns the permalink of a post, and the address that works with any permalink settings. */
function formerPathsOf({ link, id, type }: Item): string[] {
  const url = URL.parse(link);
  const permalink = url && url.pathname !== '/' && url.search === '' ? [url.pathname] : [];
  return [...permalink, `/?${type === 'page' ? 'page_id' : 'p'}=${id}`];
}
