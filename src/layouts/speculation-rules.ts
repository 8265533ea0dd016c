import { sitePages } from '../lib/contract/rules/page-list.ts';

/** Whether every page below `start`, such as `/tag`, may be prefetched. */
const isWhole = (start: string) =>
  sitePages.every(({ path, isPrefetched }) => !path.startsWith(start) || isPrefetched === true);

/**
 * Merges patterns: `/tag/list` and `/tag/detail/:tag*` become `/tag*`, `/user/info/:name*` becomes
 * `/user/info*`.
 */
function shorten(path: string): string {
  const [start = path] = /^\/\w+/.exec(path) ?? [];
  return isWhole(start) && start !== path ? `${start}*` : path.replace(/\/:\w+\*$/, '*');
}

const prefetched = sitePages.flatMap(({ path, isPrefetched }) => (isPrefetched ? [shorten(path)] : []));

/** Path of the rules, named in a response header; inside the page they would count as script size. */
export const SPECULATION_RULES_PATH = '/speculation-rules.json';

/**
 * Prefetching rules for links that are about to be followed (hovered or pressed). They cover pages that
 * visitors may read; not pages for signed-in readers, for signing in, or fresh copies. Pages are prefetched
 * but not prerendered, because their scripts must not run unseen. Links within the page (`#…`) are excluded.
 * Browsers without support ignore the rules.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          {
            href_matches: [...new Set(prefetched)],
          },
          { selector_matches: "[href^='/']" },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
