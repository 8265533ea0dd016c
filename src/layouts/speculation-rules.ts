/**
 * What the browser may fetch when a link is about to be followed (the pointer rests on it, or it is pressed), so that the next page is
 * there when it is clicked. Only pages that anybody may read, named one by one: what is for signed-in readers, signs in or asks for a
 * fresh copy (`/detail/{id}/refresh`) is not among them. Fetched, never run beforehand: no script of theirs may act unseen. Links
 * within the page lead nowhere. Browsers that do not know these rules ignore them.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: ['/', '/home*', '/detail/:id', '/tag/*', '/user/info/*', '/lab/*', '/changelog'] },
          { not: { selector_matches: '[href^="#"]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});

/** What the Content-Security-Policy allows them by: changes with every character, and a test compares the two. */
export const SPECULATION_RULES_HASH = 'sha256-f4alavFTZhgkkj80AVEb9ok7tXrmXsRGjrn4fC/VNUI=';
