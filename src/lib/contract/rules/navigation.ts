import { sections } from './page-list.ts';
import { SITE_BOUNDS } from './site-rules.ts';

/** Places of a navigation entry, with their names in the console. */
export const PLACES = { header: '页眉', footer: '页脚', hidden: '不显示' } as const;

export interface NavEntry {
  href: string;
  text: string;
  place: keyof typeof PLACES;
}

const SECTIONS: readonly NavEntry[] = sections.map(({ href, text }) => ({ href, text, place: 'header' }));

/** Entries of every site. They can be renamed, moved and hidden, but not removed. */
const BUILT_IN: readonly NavEntry[] = [
  ...SECTIONS,
  { href: '/archive', text: '归档', place: 'footer' },
  { href: '/feed.xml', text: '订阅', place: 'footer' },
  { href: '/friends', text: '友链', place: 'hidden' },
  { href: '/friends/circle', text: '朋友圈', place: 'hidden' },
];

/** Name of a built-in entry; undefined for an address that the operator added. */
export const builtInName = (href: string): string | undefined =>
  BUILT_IN.find((entry) => entry.href === href)?.text;

interface Navigation {
  navigation?: readonly NavEntry[] | undefined;
  /** Labels of the sections, and links next to them: the settings before there was one list. */
  nav: Record<string, string | null>;
  links: { text: string; href: string }[];
}

/** Returns all entries of header and footer, in order. Built-in ones that a list omits are at its end. */
export function navigationOf({ navigation, nav, links }: Navigation): NavEntry[] {
  const chosen = navigation ?? [
    ...SECTIONS.map(({ href, text, place }) => {
      const label = nav[href];
      return { href, text: label ?? text, place: label === null ? 'hidden' : place };
    }),
    ...links.map(({ text, href }) => ({ href, text, place: 'header' as const })),
  ];
  const known = new Set(chosen.map(({ href }) => href));
  return [...chosen, ...BUILT_IN.filter(({ href }) => !known.has(href))];
}

/** Returns `nav` and `links` for edge fronts of versions that do not know `navigation`. */
export function formerNavigation(entries: readonly NavEntry[]): Pick<Navigation, 'nav' | 'links'> {
  const shown = entries
    .filter(({ place }) => place === 'header')
    .map(({ href, text }) => ({ href, text: shorten(text) }));
  return {
    nav: Object.fromEntries(
      SECTIONS.map(({ href }) => [href, shown.find((entry) => entry.href === href)?.text ?? null]),
    ),
    links: shown.filter(({ href }) => builtInName(href) === undefined).slice(0, SITE_BOUNDS.links),
  };
}

function shorten(text: string): string {
  let short = '';
  for (const character of text) {
    if (short.length + character.length > SITE_BOUNDS.label[1]) break;
    short += character;
  }
  return short;
}
