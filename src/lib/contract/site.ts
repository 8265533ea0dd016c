import { z } from 'zod';
import { boolean, choice, int, list, namesOf, string } from './titled.ts';
import { sections } from './rules/page-list.ts';
import { LICENCES } from './rules/licences.ts';
import { Look } from './look.ts';
import { FRONT_NAMES, HEAD_NAMES, LIST_NAMES, PARAGRAPH_NAMES, SHIPPED_LOOKS } from './rules/looks.ts';
import { PLACES } from './rules/navigation.ts';
import { SITE_BOUNDS, SITE_PATTERNS } from './rules/site-rules.ts';
import { NO_LOOK } from '../shared/look-sheet.ts';

/** One line of text. The error completes a sentence that begins with the field's name. */
const lineOf = (name: 'title' | 'description' | 'beian' | 'footer' | 'label' | 'entry') => {
  const [least, most] = SITE_BOUNDS[name];
  const error = `must be ${least > 0 ? 'a text' : 'empty or a text'} of at most ${most} characters on one line`;
  return z
    .string({ error })
    .trim()
    .refine((text) => text.length >= least && text.length <= most && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), {
      error,
    });
};

const label = lineOf('label');
const href = z
  .string()
  .regex(SITE_PATTERNS.href, {
    error: 'must be a path such as /detail/… or an address that begins with https://, http:// or mailto:',
  })
  .meta({ title: '地址' });
const link = z.strictObject({ text: label.meta({ title: '文字' }), href });
const entry = z.strictObject({
  text: lineOf('entry').meta({ title: '文字' }),
  href,
  place: z
    .enum(namesOf(PLACES), { error: `must be one of ${namesOf(PLACES).join(', ')}` })
    .meta({ title: '位置' }),
});

const texts = {
  title: lineOf('title').meta({ title: '标题' }),
  description: lineOf('description').meta({ title: '摘要' }),
  /** Filing number of the ministry (备案号). */
  beian: lineOf('beian').meta({ title: '备案号' }),
  /** Filing number of the police (公安备案号), with its digits. */
  police_beian: z
    .string()
    .regex(SITE_PATTERNS.police_beian, {
      error: 'must be like 京公网安备11010502030143号',
    })
    .meta({ title: '公安备案号' }),
  footer: lineOf('footer').meta({ title: '页脚文字' }),
  /** Default licence, by its name in licences.ts, for articles whose author chose none. */
  licence: z
    .enum(['', ...Object.keys(LICENCES)], {
      error: `must be one of ${Object.keys(LICENCES).join(', ')}`,
    })
    .meta({ title: '许可协议' }),
  links: z
    .array(link)
    .max(SITE_BOUNDS.links, { error: `must be at most ${SITE_BOUNDS.links} links` })
    .meta({ title: '导航里另外的链接' }),
};

/** Entries of header and footer, in order. Used instead of `nav` and `links`. */
const navigation = z
  .array(entry)
  .max(SITE_BOUNDS.entries, { error: `must be at most ${SITE_BOUNDS.entries} entries` })
  .meta({ title: '页眉和页脚的各项，按顺序' });

/** Navigation labels by address; null removes a section from the navigation. */
const nav = z.record(z.string(), label.nullable()).meta({ title: '导航文字，按地址' });

const hrefs = sections.map(({ href }) => href);

/** Schema of `site.json`. Each error completes a sentence that begins with the field's path. */
export const SiteFile = z
  .strictObject({
    ...texts,
    nav: nav.superRefine((labels, context) => {
      for (const href of Object.keys(labels)) {
        if (!hrefs.includes(href))
          context.addIssue({ code: 'custom', path: [href], message: `is none of ${hrefs.join(', ')}` });
      }
    }),
    navigation,
    /** A file in DATA_DIR. */
    logo: z.string().regex(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*\.(?:svg|png)$/iu, {
      error: 'must be the name of an .svg or .png file in DATA_DIR',
    }),
    accent: z.string().toLowerCase().regex(SITE_PATTERNS.accent, { error: 'must be a colour like #2c4a84' }),
    seal: z.string().regex(SITE_PATTERNS.seal, { error: 'must be one letter or digit, none, or empty' }),
    /** A look, or the name of a shipped one. */
    look: z.preprocess((value, context) => {
      if (typeof value !== 'string') return value;
      const look = SHIPPED_LOOKS.find(({ name }) => name === value);
      if (look) return look;
      const names = SHIPPED_LOOKS.map(({ name }) => name).join(', ');
      context.addIssue({ code: 'custom', message: `must be a look or one of ${names}` });
      return z.NEVER;
    }, Look),
  })
  .partial();
export type SiteFile = z.infer<typeof SiteFile>;

/** Ways to sign in besides a password; servers of older versions have none. */
const signInWays = {
  providers: list(
    '可以用来登录和注册的其他网站',
    z.object({ id: string('编号'), label: string('名称') }),
  ).default([]),
  /** Whether only the providers sign users in and up. */
  sso_only: boolean('是不是只能用其他网站的账号登录和注册').default(false),
};

/** Servers of older versions have neither. */
const searchFacts = {
  verification: z
    .record(z.string().max(100), z.string().max(200))
    .meta({ title: '搜索引擎验证网站的标签：名称和内容' })
    .default({}),
  /** Published at `/{key}.txt`, by which search engines verify IndexNow requests; '' for none. */
  indexnow_key: string('IndexNow 的密钥，公开在 /{密钥}.txt').default(''),
};

/** Response of GET /api/site: the operator's settings, and addresses of the files generated from them. */
export const SiteFacts = z.object({
  ...texts,
  ...signInWays,
  ...searchFacts,
  nav,
  /** Absent in responses of servers of older versions (navigationOf). */
  navigation: navigation.optional(),
  /** The logo in the header, null for the default mark. Sizes in displayed pixels. */
  logo: z
    .object({ src: string('网址'), width: int('宽，像素'), height: int('高，像素') })
    .nullable()
    .meta({ title: '标志' }),
  /** Suffix of the icons' and the manifest's addresses; '' while the icons show the project's mark. */
  icons: string('图标网址的后缀'),
  /** Address of the style sheet with the operator's accent colour, or ''. */
  accent: string('强调色'),
  /** One character, `none`, or '' for the logo or the first character of the name (sealOf). */
  seal: z.string().regex(SITE_PATTERNS.seal).meta({ title: '印章' }).default(''),
  /** A choice that this version does not know is not laid out. */
  look: z
    .object({
      href: string('样式表的网址，没有就是空的'),
      paragraphs: choice('段落', namesOf(PARAGRAPH_NAMES)),
      list: choice('文章列表', namesOf(LIST_NAMES)),
      head: choice('文章开头', namesOf(HEAD_NAMES)),
      front: choice('宽屏首页', namesOf(FRONT_NAMES)),
    })
    .meta({ title: '外观' })
    .default(NO_LOOK)
    .catch(NO_LOOK),
  /** Address of the operator's own style sheet, or ''. */
  style: string('站长的样式表').default(''),
});
export type SiteFacts = z.infer<typeof SiteFacts>;
