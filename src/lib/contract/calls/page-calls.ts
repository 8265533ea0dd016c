import { z } from 'zod';
import { byId, open, read, staff, write } from './call.ts';
import { jsonField } from './site-calls.ts';
import { booleanField, idField, textField } from '../fields.ts';
import { countCharacters } from '../rules/bounds.ts';
import { AUTHORED } from '../rules/authored-fields.ts';
import { MAX_PAGE_DEPTH, MAX_PAGES } from '../rules/page-tree.ts';
import { foldSlug, SLUG_BOUNDS, slugRule } from '../rules/slugs.ts';
import { boolean, choice, instant, list, string, strings } from '../titled.ts';

const slugField = textField('地址', SLUG_BOUNDS)
  .transform(foldSlug)
  .refine((slug) => slugRule.accepts(slug) && countCharacters(slug) <= SLUG_BOUNDS[1], {
    error: slugRule.says,
  });
const titleField = textField('标题', [1, AUTHORED.title.bounds[1]], AUTHORED.title.rule);

const placed = {
  _id: string('编号'),
  title: string('标题'),
  slug: string('地址'),
  /** '' at the top. */
  parent: string('上级页面的编号，最上层的是空的'),
  update_time: instant('修改的时间'),
};

/** A published page of the site; pages are listed in the order of the tree, parents first. */
export const PublishedPage = z.object({ ...placed, former_slugs: strings('曾用的地址，会转到现在的地址') });
export type PublishedPage = z.infer<typeof PublishedPage>;

export const PAGE_STATES = ['draft', 'scheduled', 'published', 'secret', 'withheld'] as const;
export const StaffPage = z.object({
  ...placed,
  create_user: string('作者的用户名'),
  state: choice('状态', PAGE_STATES),
  publish_time: instant('定时发布的时间').optional(),
  in_feeds: boolean('在不在订阅源里'),
});
export type StaffPage = z.infer<typeof StaffPage>;

const ofPages = staff('pages.manage');

export const pageCalls = {
  pageTree: read(open(), 'POST /api/page/pages', '网站的页面，例如「关于」', {
    description: '已发布的，按树的顺序，上级在前。',
    output: z.object({ pages: list('页面', PublishedPage) }),
  }),
};

export const pageConsoleCalls = {
  staffPages: read(ofPages, 'POST /api/staff/pages', '全部页面，包括草稿', {
    output: z.object({ pages: list('页面', StaffPage) }),
  }),
  /** The page is a draft; it is written, published and deleted as an article. */
  pageCreate: write(ofPages, 'POST /api/staff/page/create', '新建页面', {
    description: '新页面是草稿，不开放评论，排在最后。写、发布、删除它和写文章一样。',
    input: z.object({ title: titleField, slug: slugField }),
    output: byId,
    refusals: ['SLUG_TAKEN', 'QUOTA_REACHED'],
  }),
  pageChange: write(ofPages, 'POST /api/staff/page/change', '修改页面的地址', {
    description: '原来的地址会转到新的地址。',
    input: z.object({
      id: idField.meta({ title: '编号' }),
      slug: slugField,
      in_feeds: booleanField('放进订阅源').default(false),
    }),
    refusals: ['ARTICLE_NOT_FOUND', 'SLUG_TAKEN'],
  }),
  pageOrder: write(ofPages, 'POST /api/staff/pages/order', '排页面的顺序和上下级', {
    description: `列出全部页面，按树的顺序，最多 ${MAX_PAGE_DEPTH} 层。`,
    input: z.object({
      pages: jsonField(
        z
          .array(
            z.object({
              id: idField.meta({ title: '编号' }),
              parent: z
                .union([z.literal(''), idField], { error: '上级页面的编号不正确' })
                .meta({ title: '上级页面的编号，最上层的是空的' }),
            }),
            { error: '页面应为列表' },
          )
          .max(MAX_PAGES, `页面最多 ${MAX_PAGES} 个`)
          .meta({ title: '页面' }),
      ),
    }),
  }),
};
