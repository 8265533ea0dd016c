import { z } from 'zod';
import { sections } from '../shared/pages/page-list.ts';
import { LICENCES } from './rules/licences.ts';
import { SITE_BOUNDS, SITE_PATTERNS } from './rules/site-bounds.ts';

/** One line of text. The error completes a sentence that begins with the field's name. */
const lineOf = (name: 'title' | 'description' | 'beian' | 'footer' | 'label') => {
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
const link = z.strictObject({
  text: label,
  href: z.string().regex(SITE_PATTERNS.href, {
    error: 'must be a path such as /detail/… or an address that begins with https://, http:// or mailto:',
  }),
});

const texts = {
  title: lineOf('title'),
  description: lineOf('description'),
  /** Filing number of the ministry (备案号). */
  beian: lineOf('beian'),
  /** Filing number of the police (公安备案号), with its digits. */
  police_beian: z.string().regex(SITE_PATTERNS.police_beian, {
    error: 'must be like 京公网安备11010502030143号',
  }),
  footer: lineOf('footer'),
  /** Default licence, by its name in licences.ts, for articles whose author chose none. */
  licence: z.enum(['', ...Object.keys(LICENCES)], {
    error: `must be one of ${Object.keys(LICENCES).join(', ')}`,
  }),
  links: z.array(link).max(SITE_BOUNDS.links, { error: `must be at most ${SITE_BOUNDS.links} links` }),
};

/** Navigation labels by address; null removes a section from the navigation. */
const nav = z.record(z.string(), label.nullable());

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
    /** A file in DATA_DIR. */
    logo: z.string().regex(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*\.(?:svg|png)$/iu, {
      error: 'must be the name of an .svg or .png file in DATA_DIR',
    }),
    accent: z.string().toLowerCase().regex(SITE_PATTERNS.accent, { error: 'must be a colour like #2c4a84' }),
  })
  .partial();
export type SiteFile = z.infer<typeof SiteFile>;

/** Ways to sign in besides a password; servers of older versions have none. */
const signInWays = {
  providers: z.array(z.object({ id: z.string(), label: z.string() })).default([]),
  /** Whether only the providers sign users in and up. */
  sso_only: z.boolean().default(false),
};

/** Response of GET /api/site: the operator's settings, and addresses of the files generated from them. */
export const SiteFacts = z.object({
  ...texts,
  ...signInWays,
  nav,
  /** The logo in the header, null for the default mark. Sizes in displayed pixels. */
  logo: z.object({ src: z.string(), width: z.int(), height: z.int() }).nullable(),
  /** Suffix of the icons' addresses if they show the operator's logo; '' for the default icons. */
  icons: z.string(),
  /** Address of the style sheet with the operator's accent colour, or ''. */
  accent: z.string(),
});
export type SiteFacts = z.infer<typeof SiteFacts>;
