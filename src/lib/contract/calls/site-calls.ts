import { z } from 'zod';
import { BODIES, open, passwordsDiffer, read, signedIn, staff, write } from './call.ts';
import { firstCredentials, isPasswordRepeated, SIGNUP_REFUSALS } from './credentials.ts';
import { TokenPair } from '../entities.ts';
import { absentField, textField } from '../fields.ts';
import { list, namesOf, string } from '../titled.ts';
import { Look } from '../look.ts';
import { MAX_STYLE_BYTES, SHIPPED_LOOKS } from '../rules/looks.ts';
import { LICENCES } from '../rules/licences.ts';
import { PLACES } from '../rules/navigation.ts';
import { SITE_BOUNDS, SITE_PATTERNS } from '../rules/site-rules.ts';
import { sections } from '../rules/page-list.ts';
import { SiteOptionChanges, SiteOptions } from '../site-options.ts';
import { SiteFacts } from '../site.ts';

const lineField = (label: string, bounds: readonly [number, number]) =>
  textField(label, bounds).refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), {
    error: `${label}只能写一行`,
  });

const labelField = lineField('导航文字', SITE_BOUNDS.label);
const hrefField = z
  .string({ error: '请填写链接的地址' })
  .trim()
  .regex(SITE_PATTERNS.href, { error: '链接的地址应像 /detail/…，或以 https://、http://、mailto: 开头' })
  .meta({ title: '地址' });

/** JSON, because a form cannot express an empty list. */
export const jsonField = <T extends z.ZodType>(field: T) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: '内容格式不正确' });
      return z.NEVER;
    }
  }, field);

const hrefs: readonly string[] = sections.map(({ href }) => href);

/** Site settings of the console, by the same rules as `site.json` (site.ts). */
export const SiteIdentity = z.object({
  title: lineField('站名', SITE_BOUNDS.title),
  description: lineField('简介', SITE_BOUNDS.description),
  beian: lineField('备案号', SITE_BOUNDS.beian),
  police_beian: z
    .string({ error: '公安备案号应为文本' })
    .trim()
    .regex(SITE_PATTERNS.police_beian, { error: '公安备案号应像 京公网安备11010502030143号' })
    .meta({ title: '公安备案号' }),
  footer: lineField('页脚文字', SITE_BOUNDS.footer),
  licence: z.enum(['', ...Object.keys(LICENCES)], { error: '没有这种许可协议' }).meta({ title: '许可协议' }),
  links: jsonField(
    z
      .array(z.object({ text: labelField, href: hrefField }), { error: '链接应为列表' })
      .max(SITE_BOUNDS.links, { error: `链接最多 ${SITE_BOUNDS.links} 个` })
      .meta({ title: '导航里另外的链接' }),
  ),
  /** Replaces `nav` and `links`, which a later change of them sets again. */
  navigation: jsonField(
    z
      .array(
        z.object({
          text: lineField('导航文字', SITE_BOUNDS.entry),
          href: hrefField,
          place: z.enum(namesOf(PLACES), { error: '请选择放在哪里' }).meta({ title: '位置' }),
        }),
        { error: '导航应为列表' },
      )
      .max(SITE_BOUNDS.entries, { error: `导航最多 ${SITE_BOUNDS.entries} 项` })
      .refine((entries) => new Set(entries.map(({ href }) => href)).size === entries.length, {
        error: '导航里有两项是同一个地址',
      })
      .meta({ title: '页眉和页脚的各项，按顺序' }),
  ),
  nav: jsonField(
    z
      .record(
        z.string().refine((href) => hrefs.includes(href), { error: '导航里没有这一项' }),
        labelField.nullable(),
        { error: '导航应为各项的名称' },
      )
      .meta({ title: '导航文字，按地址' }),
  ),
  /** `#rrggbb`, or empty for the default colours. */
  accent: z
    .string({ error: '颜色应为文本' })
    .trim()
    .toLowerCase()
    .refine((colour) => colour === '' || SITE_PATTERNS.accent.test(colour), {
      error: '颜色应像 #2c4a84',
    })
    .meta({ title: '强调色' }),
  /** One character, `none`, or empty for the logo or the first character of the name. */
  seal: z
    .string({ error: '印章应为文本' })
    .trim()
    .regex(SITE_PATTERNS.seal, { error: '印章只能是一个字、字母或数字' })
    .meta({ title: '印章' }),
  look: jsonField(Look),
  /** Added to pages for readers after the look. */
  style: z
    .string({ error: '样式应为文本' })
    .refine((text) => new TextEncoder().encode(text).length <= MAX_STYLE_BYTES, {
      error: `样式不能超过 ${MAX_STYLE_BYTES / 1024} KB`,
    })
    .meta({ title: '自己的样式' }),
});
export type SiteIdentity = z.infer<typeof SiteIdentity>;
const IdentityChanges = SiteIdentity.extend({
  /** The version that the caller read; a later change is refused, not overwritten. */
  version: string('读到的版本'),
}).partial();
export type IdentityChanges = z.infer<typeof IdentityChanges>;
export type IdentityField = keyof SiteIdentity | 'logo';

const IdentityAnswer = z.object({
  ...SiteIdentity.shape,
  logo: z.string().nullable().meta({ title: '标志' }),
  version: string('版本，改动时一起交来'),
  /**
   * Fields set outside the console, with the variable or file that sets them. They cannot be changed here.
   */
  fixed: z
    .partialRecord(z.enum([...SiteIdentity.keyof().options, 'logo']), z.string())
    .meta({ title: '在别处设定的各项和设定的地方' }),
});
export type IdentityAnswer = z.infer<typeof IdentityAnswer>;

const Looks = z.object({ shipped: list('自带的外观', Look), saved: list('保存的外观', Look) });
export type Looks = z.infer<typeof Looks>;

const SHIPPED_NAMES = SHIPPED_LOOKS.map(({ name }) => name);

const keyField = z
  .string({ error: '请用完整的链接打开' })
  .trim()
  .min(1, '请用完整的链接打开')
  .max(200, '链接不正确');

export const siteCalls = {
  site: read(open(), 'GET /api/site', '站长设置的站名、导航、页脚等', { output: SiteFacts }),
  operatorSetup: write(open(), 'POST /api/setup', '用启动时给出的链接设置第一位站长', {
    input: z
      .object({
        key: keyField.meta({ title: '链接里的密钥' }),
        ...firstCredentials,
        title: absentField(SiteIdentity.shape.title.optional()),
        description: absentField(SiteIdentity.shape.description.optional()),
        look: absentField(z.enum(SHIPPED_NAMES, { error: '没有这种外观' }).optional()).meta({
          title: '自带的外观的名字',
        }),
        signup: absentField(SiteOptions.shape.signup.optional()),
      })
      .refine(isPasswordRepeated, passwordsDiffer)
      .transform(({ key, username, password, title, description, look, signup }) => ({
        key,
        username,
        password,
        title,
        description,
        look,
        signup,
      })),
    output: TokenPair,
    refusals: [...SIGNUP_REFUSALS, 'SETUP_LINK_INVALID'],
    writes: ['user.username'],
  }),
  operatorClaim: write(signedIn(), 'POST /api/setup/claim', '用启动时给出的链接成为第一位站长', {
    input: z.object({ key: keyField.meta({ title: '链接里的密钥' }) }),
    refusals: ['SETUP_LINK_INVALID'],
    writes: [],
  }),
};

export const optionCalls = {
  siteOptions: read(staff('options.read', 'site:read'), 'POST /api/staff/options', '网站的选项', {
    output: SiteOptions,
  }),
  siteOptionsChange: write(staff('options.change'), 'POST /api/staff/options/change', '修改网站的选项', {
    description: '没写的选项不变。',
    input: SiteOptionChanges,
    output: SiteOptions,
  }),
};

export const identityCalls = {
  siteIdentity: read(staff('options.read', 'site:read'), 'POST /api/staff/site', '站名、导航、页脚、颜色等', {
    output: IdentityAnswer,
  }),
  siteIdentityChange: write(
    staff('options.change'),
    'POST /api/staff/site/change',
    '修改站名、导航、页脚、颜色等',
    {
      description: '没写的不变。',
      input: IdentityChanges,
      output: IdentityAnswer,
      refusals: ['FIELD_FIXED', 'VERSION_CHANGED'],
    },
  ),
  siteLogo: write(staff('options.change'), 'POST /api/staff/site/logo', '上传标志', {
    /** Base64, at most one megabyte. */
    input: z.object({
      logo: z
        .base64({ error: '请选择要上传的图片' })
        .max(1_400_000, '标志不能超过 1 MB')
        .meta({ title: '标志' }),
    }),
    output: IdentityAnswer,
    body: BODIES.article,
    refusals: ['LOGO_UNUSABLE', 'FIELD_FIXED'],
  }),
  siteLogoRemove: write(staff('options.change'), 'POST /api/staff/site/logo/remove', '移除标志', {
    output: IdentityAnswer,
    refusals: ['FIELD_FIXED'],
  }),
  looks: read(staff('options.read', 'site:read'), 'POST /api/staff/looks', '自带的和保存的外观', {
    output: Looks,
  }),
  lookSave: write(staff('options.change'), 'POST /api/staff/looks/save', '保存外观', {
    description: '同名的会被替换。',
    input: z.object({ look: jsonField(Look) }),
    output: Looks,
    refusals: ['LOOKS_TOO_MANY'],
  }),
  lookDelete: write(staff('options.change'), 'POST /api/staff/looks/delete', '删除保存的外观', {
    description: '正在用的外观不受影响。',
    input: z.object({ name: z.string({ error: '请写明外观的名字' }).meta({ title: '名字' }) }),
    output: Looks,
  }),
};
