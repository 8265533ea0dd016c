import { sitePages } from '../lib/blog/page-list.ts';

/** Whether everything below `start`, such as `/tag`, may be fetched. */
const isWhole = (start: string) =>
  sitePages.every(({ path, isPrefetched }) => !path.startsWith(start) || isPrefetched === true);

/**
 * `/tag/list` and `/tag/detail/:tag*` as one `/tag*`, `/user/info/:name*` as `/user/info*`.
 */
function shorten(path: string): string {
  const [start = path] = /^\/\w+/.exec(path) ?? [];
  return isWhole(start) && start !== path ? `${start}*` : path.replace(/\/:\w+\*$/, '*');
}

const prefetched = sitePages.flatMap(({ path, isPrefetched }) => (isPrefetched ? [shorten(path)] : []));

/** Where the rules are, which a header of each page names: in the page they would weigh as a script does. */
export const SPECULATION_RULES_PATH = '/speculation-rules.json';

/**
 * What the browser may fetch when a link is about to be followed (the pointer rests on it, or it is pressed),
 * so that the next page is there when it is clicked: pages that anybody may read, never what is for signed-in
 * readers, signs in or asks for a fresh copy. Fetched, never run beforehand: no script of theirs may act
 * unseen. Links within the page, `#…`, lead nowhere. Browsers that do not know these rules ignore them.
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
