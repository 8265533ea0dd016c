import type { Loss } from '../site/foreign-site.ts';
import { pagesLoss, realLosses } from '../site/losses.ts';
import type { SourceOptions } from '../site/source-options.ts';
import type { Index } from './scan.ts';

const TYPES: Record<string, string> = {
  nav_menu_item: '菜单项',
  custom_css: '自定义样式',
  customize_changeset: '外观设置的改动',
  wp_global_styles: '全站样式',
  wp_template: '主题模板',
  wp_template_part: '主题模板的部件',
  wp_navigation: '导航菜单',
  oembed_cache: '嵌入内容的缓存',
  revision: '历史版本',
  product: '商品',
};
const HANDLED = new Set(['post', 'page', 'attachment', 'wp_block']);

export function lossesOf(index: Index, { pages: takesPages, uploads }: SourceOptions): Loss[] {
  const { types, statuses, lostComments, taxonomies, guestsWithSites } = index;
  const left = (counts: ReadonlyMap<string, number>, name: string) => counts.get(name) ?? 0;
  const pages = [...statuses.page].reduce(
    (sum, [status, count]) => (status === 'trash' ? sum : sum + count),
    0,
  );
  return realLosses([
    pagesLoss(pages, takesPages),
    {
      what: '回收站里的文章',
      why: '没有导入',
      count: left(statuses.post, 'trash') + left(statuses.page, 'trash'),
    },
    { what: '自动保存的空稿', why: '没有导入', count: left(statuses.post, 'auto-draft') },
    { what: '没有导入的页面和文章下的评论', why: '没有导入', count: index.commentsLeft },
    { what: '垃圾评论', why: '没有导入', count: lostComments.spam },
    { what: '回收站里的评论', why: '没有导入', count: lostComments.trash },
    { what: 'Pingback 和 Trackback', why: '本站没有，没有导入', count: lostComments.pingback },
    { what: '评论者的网址', why: '本站的评论不带网址，没有导入', count: guestsWithSites },
    {
      what: '媒体库文件',
      why: '没有给出 uploads 文件夹，图片仍指向原站（用 --uploads 指定）',
      count: uploads === undefined ? left(types, 'attachment') : 0,
    },
    ...[...types].flatMap(([type, count]) =>
      HANDLED.has(type) ? [] : [{ what: TYPES[type] ?? `内容类型 ${type}`, why: '没有导入', count }],
    ),
    ...[...taxonomies].map(([name, count]) => ({ what: `分类法 ${name}`, why: '只导入分类和标签', count })),
  ]);
}
