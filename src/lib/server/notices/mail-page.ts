import type { Element } from 'xast';
import { toXml } from 'xast-util-to-xml';
import { x } from 'xastscript';
import type { SiteFacts } from '../../contract/site.ts';
import { palette } from '../../shared/palette.ts';

interface Link {
  text: string;
  url: string;
}

/** Part of a mail; each has a plain-text and an HTML form. */
export type Block =
  | { kind: 'heading'; text: string; url?: string }
  | { kind: 'title' | 'paragraph' | 'quote'; text: string }
  /** A link that the text shows as its address. */
  | ({ kind: 'link' | 'button' } & Link);

/** Site that sends a mail; a logo replaces its name. */
export interface MailSite {
  readonly origin: string;
  readonly title: string;
  readonly logo?: SiteFacts['logo'];
}

interface Page {
  subject: string;
  site: MailSite;
  blocks: readonly Block[];
  foot: string;
  links?: readonly Link[];
}

type Colours = Record<keyof (typeof palette)['light'], string>;
type Part =
  | 'page'
  | 'sheet'
  | 'site'
  | 'heading'
  | 'title'
  | 'paragraph'
  | 'quote'
  | 'link'
  | 'button'
  | 'foot'
  | 'quiet';

/** Fonts of the site (styles/fonts.css). */
const TEXT =
  "-apple-system,'Segoe UI','PingFang SC','HarmonyOS Sans SC',MiSans,'Microsoft YaHei','Noto Sans CJK SC',sans-serif";
const TITLE = "'Songti SC','Noto Serif CJK SC','Source Han Serif SC','Noto Serif SC',serif";

/**
 * Styles of each part. They are inlined, because mail programs drop style sheets; those that keep them also
 * get the dark colours.
 */
const STYLES: Record<Part, { layout: string; paint?: (colours: Colours) => Record<string, string> }> = {
  page: {
    layout: `margin:0;padding:0;font:16px/1.75 ${TEXT};line-break:strict;overflow-wrap:anywhere;-webkit-text-size-adjust:100%`,
    paint: ({ paper, ink }) => ({ 'background-color': paper, color: ink }),
  },
  sheet: { layout: 'max-width:37.5rem;margin:0 auto;padding:28px 20px 40px' },
  site: {
    layout: `margin:0 0 20px;font:700 18px/1.5 ${TITLE};letter-spacing:.1em`,
    paint: ({ ink }) => ({ color: ink }),
  },
  heading: {
    layout: `margin:28px 0 4px;padding:16px 0 0;border-top-width:1px;border-top-style:solid;font:700 20px/1.4 ${TITLE}`,
    paint: ({ ink, line }) => ({ color: ink, 'border-top-color': line }),
  },
  title: { layout: 'margin:16px 0 8px;font-weight:600' },
  paragraph: { layout: 'margin:0 0 16px' },
  quote: {
    layout: 'margin:0 0 8px;padding:2px 0 2px 14px;border-left-width:3px;border-left-style:solid',
    paint: ({ soft, line }) => ({ color: soft, 'border-left-color': line }),
  },
  link: { layout: 'display:inline-block;padding:8px 0', paint: ({ indigo }) => ({ color: indigo }) },
  button: {
    layout:
      'display:inline-block;margin:4px 0 12px;padding:9px 22px;border-radius:4px;font-weight:600;text-decoration:none',
    paint: ({ indigo, reverse }) => ({ 'background-color': indigo, color: reverse }),
  },
  foot: {
    layout:
      'margin:36px 0 0;padding:14px 0 0;border-top-width:1px;border-top-style:solid;font-size:13px;line-height:1.9',
    paint: ({ soft, line }) => ({ color: soft, 'border-top-color': line }),
  },
  quiet: { layout: 'display:inline-block;padding:4px 12px 4px 0', paint: ({ soft }) => ({ color: soft }) },
};

/** A link in the colour of the heading around it. */
const PLAIN_LINK = 'color:inherit;text-decoration:none';

const declare = (declared: Record<string, string>, end = ''): string =>
  Object.entries(declared)
    .map(([name, value]) => `${name}:${value}${end}`)
    .join(';');

const DARK_RULES = Object.entries(STYLES)
  .map(([part, { paint }]) => (paint ? `.${part}{${declare(paint(palette.dark), ' !important')}}` : ''))
  .join('');
const SHEET = `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${DARK_RULES}}`;

function el(
  name: string,
  part: Part,
  children: string | (string | Element)[],
  attributes: Record<string, string> = {},
): Element {
  const { layout, paint } = STYLES[part];
  const style = paint ? `${layout};${declare(paint(palette.light))}` : layout;
  return x(name, { ...attributes, class: part, style }, children);
}

const logoOf = ({ origin, title }: MailSite, { src, ...size }: NonNullable<MailSite['logo']>): Element =>
  x('img', { ...size, src: origin + src, alt: title });

const linesOf = (text: string): (string | Element)[] =>
  text.split('\n').flatMap((line, at) => (at === 0 ? [line] : [x('br'), line]));

/** Renders the one layout of all mails, as plain text and as HTML. */
export function renderMail({ subject, site, blocks, foot, links = [] }: Page): {
  text: string;
  html: string;
} {
  const text = [
    ...blocks.map(textOf),
    ['-- ', foot, ...links.map((link) => `${link.text}：${link.url}`)].join('\n'),
  ].join('\n\n');
  const head = x('head', [
    x('meta', { charset: 'utf-8' }),
    x('meta', { name: 'viewport', content: 'width=device-width,initial-scale=1' }),
    x('meta', { name: 'color-scheme', content: 'light dark' }),
    x('meta', { name: 'supported-color-schemes', content: 'light dark' }),
    x('title', subject),
    x('style', SHEET),
  ]);
  const body = el('body', 'page', [
    // Not <main>, which Outlook lays out as inline text.
    el(
      'div',
      'sheet',
      [
        el('h1', 'site', [
          x('a', { href: site.origin, style: PLAIN_LINK }, site.logo ? logoOf(site, site.logo) : site.title),
        ]),
        ...blocks.map(elementOf),
        el('div', 'foot', [
          foot,
          x('br'),
          ...links.flatMap((link) => [el('a', 'quiet', link.text, { href: link.url }), ' ']),
        ]),
      ],
      { role: 'main' },
    ),
  ]);
  const html = toXml(x('html', { lang: 'zh-CN' }, [head, body]), { closeEmptyElements: true });
  return { text, html: `<!doctype html>${html}` };
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `—— ${block.text} ——`;
    case 'quote':
      return block.text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'link':
    case 'button':
      return block.url;
    case 'title':
    case 'paragraph':
      return block.text;
  }
}

function elementOf(block: Block): Element {
  switch (block.kind) {
    case 'heading': {
      const { text, url } = block;
      return el('h2', 'heading', url === undefined ? text : [x('a', { href: url, style: PLAIN_LINK }, text)]);
    }
    case 'quote':
      return el('blockquote', 'quote', linesOf(block.text));
    case 'link':
    case 'button':
      return x('div', [el('a', block.kind, block.text, { href: block.url })]);
    case 'title':
    case 'paragraph':
      return el('p', block.kind, linesOf(block.text));
  }
}
