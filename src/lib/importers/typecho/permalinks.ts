import type { TypechoOptions } from './options.ts';

export interface Addressed {
  cid: string;
  slug: string;
  /** Seconds since the epoch. */
  created: number;
  isPage: boolean;
  /** Slugs of each of its categories, from the outermost. */
  categories: readonly (readonly string[])[];
}

const PARAMETER = /[[{]([a-z]+)(?::[^\]}]*)?[\]}]/gi;
/** Articles are in one or two categories; addresses for more were hardly used. */
const MAX_CATEGORIES = 5;

/**
 * Returns the percent-encoded paths of an article: by the site's pattern, below its installation folder, with
 * and without `/index.php`, because sites start without URL rewriting. An article in several categories has
 * an address in each.
 */
export function pathsOf(article: Addressed, options: TypechoOptions): string[] {
  const pattern = article.isPage ? options.patterns.page : options.patterns.post;
  const folder = options.siteUrl === '' ? '' : new URL(options.siteUrl).pathname.replace(/\/$/, '');
  const usesCategory = /[[{](?:category|directory)\b/.test(pattern);
  const chains = usesCategory ? article.categories.slice(0, MAX_CATEGORIES) : [[]];
  const paths = chains.map((chain) => expand(pattern, article, chain, options.offset));
  const known = [...new Set(paths.filter((path) => path !== null))];
  return known.flatMap((path) => [`${folder}${path}`, `${folder}/index.php${path}`]);
}

/** Null if the pattern needs a value that the article does not have. */
function expand(
  pattern: string,
  { cid, slug, created }: Addressed,
  chain: readonly string[],
  offset: number,
): string | null {
  const date = new Date((created + offset) * 1000);
  const isDated = !Number.isNaN(date.getTime());
  const values: Record<string, string | undefined> = {
    cid,
    slug: encodeURIComponent(slug),
    category: chain.length > 0 ? encodeURIComponent(chain.at(-1) ?? '') : undefined,
    directory: chain.length > 0 ? chain.map(encodeURIComponent).join('/') : undefined,
    ...(isDated && {
      year: String(date.getUTCFullYear()),
      month: String(date.getUTCMonth() + 1).padStart(2, '0'),
      day: String(date.getUTCDate()).padStart(2, '0'),
    }),
  };
  let isKnown = true;
  const path = pattern.replace(PARAMETER, (_whole, name: string) => {
    const value = values[name.toLowerCase()];
    isKnown &&= value !== undefined && value !== '';
    return value ?? '';
  });
  return isKnown ? path : null;
}
