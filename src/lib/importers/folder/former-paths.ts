import { createHash } from 'node:crypto';
import { asObject, asText, asTexts, pick, type Metadata } from '../../markdown-file/front-matter.ts';
import type { Generator } from './generator.ts';
import { basePath, zoneOf } from './generators/settings.ts';
import { DAY_MS } from '../../contract/rules/units.ts';

/** Parts from which a generator makes an article's address. */
export interface Addressed {
  /** From the folder of the whole site, `source/_posts/a.md`. */
  sitePath: string;
  metadata: Metadata;
  title: string;
  /** Milliseconds since the epoch; undefined where the file does not say. */
  created: number | undefined;
  /** The rest of a name like `2024-01-02-title`. */
  datedRest: string | undefined;
  categories: readonly string[];
}

/**
 * The paths at which readers found an article, from the root of the host, `/2020/01/02/title/`: what its
 * front matter says, and what its generator's settings make of the file; the likeliest first. Empty where
 * nothing says so.
 */
export function formerPaths(article: Addressed, generator: Pick<Generator, 'kind' | 'settings'>): string[] {
  const base = basePath(generator);
  const { metadata, created } = article;
  const day = dayOf(created, zoneOf(generator).zone);
  const own = PATTERNS[generator.kind]({ ...article, day }, generator.settings ?? {});
  const literal = [pick(metadata, 'permalink'), pick(metadata, 'url')]
    .map(asText)
    .filter((text) => text !== '' && !text.includes(':') && !/\s/.test(text));
  const aliases = [pick(metadata, 'aliases', 'alias'), pick(metadata, 'redirect_from')].flatMap(asTexts);
  const paths = [...(literal.length > 0 ? literal : own), ...aliases.map(pathOf)].filter(
    (path) => path !== '',
  );
  const rooted = paths.map((path) => (path.startsWith('/') ? path : `/${path}`).replace(/\/{2,}/g, '/'));
  return [
    ...new Set(rooted.map((path) => (base !== '' && !path.startsWith(`${base}/`) ? base + path : path))),
  ];
}

/** Of an address of the web its path. */
const pathOf = (address: string): string =>
  /^https?:\/\//i.test(address) ? (URL.parse(address)?.pathname ?? '') : address.replace(/[?#].*$/s, '');

/** An article with the parts of its day in the site's zone. */
type Dated = Addressed & { day: Readonly<Record<string, string | undefined>> };
type Pattern = (article: Dated, config: Metadata) => string[];

const PATTERNS: Record<Generator['kind'], Pattern> = {
  hexo: hexoPath,
  hugo: hugoPath,
  jekyll: jekyllPath,
  astro: astroPath,
  vuepress: () => [],
  unknown: () => [],
};

const stemOf = (path: string): string => path.replace(/\.[^./]*$/, '');
const lastOf = (path: string): string => path.split('/').at(-1) ?? '';
/** Returns the path below the first folder called `name`; null without such a folder. */
function below(path: string, name: string): string | null {
  const parts = path.split('/');
  const at = parts.indexOf(name);
  return at < 0 ? null : parts.slice(at + 1).join('/');
}

/** Replaces each `:name` in a pattern by its value; returns no path if a value is unknown. */
function fill(pattern: string, values: Readonly<Record<string, string | undefined>>): string[] {
  let isWhole = true;
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? [path] : [];
}

/** Parts of a day in a zone, by the names that generators give them. */
export function dayOf(created: number | undefined, timeZone: string): Record<string, string | undefined> {
  if (created === undefined) return {};
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(created);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const yearDay = Math.round(
    (Date.UTC(Number(year), Number(month) - 1, Number(day)) - Date.UTC(Number(year), 0, 0)) / DAY_MS,
  );
  const name = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(created);
  return {
    year,
    month,
    day,
    short_year: year.slice(2),
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    y_day: String(yearDay).padStart(3, '0'),
    yearday: String(yearDay),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    monthname: name({ month: 'long' }).toLowerCase(),
    short_month: name({ month: 'short' }),
    long_month: name({ month: 'long' }),
    weekdayname: name({ weekday: 'long' }).toLowerCase(),
    timestamp: String(Math.trunc(created / 1000)),
  };
}

const slugged = (text: string): string =>
  text
    .trim()
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '');

/** Path of a page outside of the articles of Hexo or Jekyll, which is served at the path of its file. */
const pagePath = (path: string | null): string[] =>
  path === null || /^(?:index\.|.*(?:^|\/)_)/i.test(path)
    ? []
    : [`/${stemOf(path).replace(/\/index$/i, '')}/`];

/** https://hexo.io/docs/permalinks; other names are of front matter, as of hexo-abbrlink. */
function hexoPath(
  { sitePath, metadata, title, created, categories, day }: Dated,
  config: Metadata,
): string[] {
  const path = below(sitePath, '_posts');
  if (path === null) return pagePath(below(sitePath, 'source'));
  const pattern = asText(pick(config, 'permalink')) || ':year/:month/:day/:title/';
  const map = asObject(pick(config, 'category_map'));
  const mapped = (name: string): string => asText(map[name]) || slugged(name);
  const stem = asText(pick(metadata, 'slug')) || stemOf(path).replace(/^\d{4}-\d{1,2}-\d{1,2}-(?=.)/, '');
  const own = Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, asText(value) || undefined]),
  );
  return fill(pattern, {
    ...own,
    ...day,
    title: stem,
    name: lastOf(stem),
    post_title: slugged(title),
    category: categories.map(mapped).join('/') || asText(pick(config, 'default_category')) || 'uncategorized',
    hash:
      created === undefined
        ? undefined
        : createHash('sha1')
            .update(stem + String(created / 1000))
            .digest('hex')
            .slice(0, 12),
  });
}

/** https://jekyllrb.com/docs/permalinks */
const JEKYLL_STYLES: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title.html',
  none: '/:categories/:title.html',
};

function jekyllPath({ sitePath, metadata, datedRest, categories, day }: Dated, config: Metadata): string[] {
  if (below(sitePath, '_posts') === null) return pagePath(sitePath.replace(/^_pages\//, ''));
  if (datedRest === undefined) return [];
  const given = asText(pick(metadata, 'permalink')) || asText(pick(config, 'permalink')) || 'date';
  const pattern = (JEKYLL_STYLES[given] ?? given).replace(':output_ext', '.html');
  const slug = asText(pick(metadata, 'slug')) || datedRest;
  const names = categories.map((name) => slugged(name.toLowerCase())).join('/');
  return fill(pattern, {
    ...day,
    title: slug,
    slug: slugged(slug.toLowerCase()),
    name: slug,
    categories: names,
  });
}

/** https://gohugo.io/configuration/permalinks */
function hugoPath({ sitePath, metadata, title, day }: Dated, config: Metadata): string[] {
  const path = below(sitePath, 'content');
  if (path === null) return [];
  const bare = stemOf(path)
    .replace(/\.[a-z]{2}(?:-[a-z]{2,4})?$/i, '')
    .replace(/\/_?index$/i, '');
  const sections = bare.split('/').slice(0, -1);
  const [section = ''] = sections;
  const rules = asObject(pick(config, 'permalinks'));
  const inPages: Metadata = { ...rules, ...asObject(pick(rules, 'page')) };
  const pattern = asText(inPages[section]) || ':sections/:slugorcontentbasename/';
  const name = lastOf(bare);
  const slug = asText(pick(metadata, 'slug'));
  const filled = fill(pattern, {
    ...day,
    section,
    sections: sections.join('/'),
    title: slugged(title),
    slug: slug || slugged(title),
    filename: name,
    contentbasename: name,
    slugorfilename: slug || name,
    slugorcontentbasename: slug || name,
  });
  const spaced = filled.map((each) => each.replace(/ /g, '-'));
  return pick(config, 'disablePathToLower') === true ? spaced : spaced.map((each) => each.toLowerCase());
}

/** Content collections are most often served under their name; pages where they lie. */
function astroPath({ sitePath, metadata }: Addressed): string[] {
  const path = below(sitePath, 'content') ?? below(sitePath, 'pages');
  if (path === null) return [];
  const bare = stemOf(path).replace(/\/index$/i, '');
  const slug = asText(pick(metadata, 'slug'));
  return [`/${slug === '' ? bare : [...bare.split('/').slice(0, -1), slug].join('/')}/`];
}
