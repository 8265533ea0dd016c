import type { Backend, BlogViewer } from '../blog/backend.ts';
import { createRemoteBlog } from '../blog/remote.ts';
import { pageTags } from '../blog/page-tags.ts';
import { readClaims } from '../client/token.ts';
import { isSigned } from '../purge-signature.ts';
import { findMissingCalls } from './missing-calls.ts';
import { findSiteFacts } from './site-facts.ts';
import { createKeptPages, type KeptPagesOptions } from './kept-pages.ts';
import { openOrigin, unavailable } from './origin.ts';
import { passThrough } from './pass-through.ts';
import { createEdgeRenderer } from './rendering.ts';
import { readText } from './read-text.ts';
import { readEdgeSettings } from './settings.ts';

/** What an edge front needs of where it runs. */
export type Platform = Pick<KeptPagesOptions, 'freshMs' | 'front' | 'shelf'>;

const MAX_PURGE_BYTES = 64 * 1024;
/** How long it is believed what calls the API knows, and what it says of the site. */
const ASK_MS = 600_000;
/** How long copies are shown without asking after the API gave no answer. */
const AWAY_MS = 5_000;
/** How soon it is asked again where there was no answer: a page must not wait for it each time. */
const ASK_AGAIN_MS = 15_000;

/**
 * The backend of an edge front: every call goes to the API at API_ORIGIN. A token's own word, unverified
 * here, chooses what is offered; whatever is private comes from the API.
 * @param read the value of a setting, by its variable
 * @throws one line that names the setting which cannot be used
 */
export function createEdgeBackend(read: (name: string) => string | undefined, platform: Platform): Backend {
  const { apiOrigin, site, ownFacts, purgeSecret } = readEdgeSettings(read);
  /** Whether the API has said what the site is: no page made before is kept. */
  let isSiteKnown = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** Nobody waits for one who asks already: runtimes let no request wait for another's. */
  async function learnOfApi(): Promise<void> {
    if (Date.now() - askedAt < ASK_MS) return;
    askedAt = Date.now();
    const [missing, facts] = await Promise.all([findMissingCalls(apiOrigin), findSiteFacts(apiOrigin)]);
    if (missing === null || facts === null) askedAt += ASK_AGAIN_MS - ASK_MS;
    if (missing !== null) site.missingCalls = missing;
    if (facts === null) return;
    Object.assign(site, facts, ownFacts);
    isSiteKnown = true;
  }
  const renderer = createEdgeRenderer();
  let awayUntil = 0;
  const pages = createKeptPages({ ...platform, isApiAway: () => Date.now() < awayUntil });
  return {
    site,
    pages: {
      answer: (request, isVisitor, render) => pages.answer(request, isVisitor && isSiteKnown, render),
    },
    async api(request, { address }) {
      const answer = await passThrough(apiOrigin, request, address);
      // Pictures whose name changes with their bytes: the platform's cache keeps what browsers may.
      const caching = answer.headers.get('Cache-Control') ?? '';
      if (platform.front && caching.includes('immutable')) answer.headers.set(platform.front.header, caching);
      return answer;
    },
    async viewerOf(token) {
      await learnOfApi();
      return viewerIn(token);
    },
    blogFor(viewer, { token, address }) {
      const unanswered = () => void (awayUntil = Date.now() + AWAY_MS);
      const asker = { token: viewer ? token : undefined, address };
      const { ask } = openOrigin(apiOrigin, asker, { unanswered });
      return createRemoteBlog({ ask, unavailable, ...renderer });
    },
    async purge(request) {
      if (purgeSecret === undefined) return new Response('purging is not set up\n', { status: 404 });
      const body = await readText(request, MAX_PURGE_BYTES).catch(() => null);
      if (body === null) return new Response('too large\n', { status: 413 });
      const isTrue = await isSigned(purgeSecret, { headers: request.headers, body, now: Date.now() });
      if (!isTrue) return new Response('not signed\n', { status: 403 });
      const tags = tagsIn(body);
      // What the site is called may be another, too: no page is kept until that is known.
      if (tags.includes(pageTags.site)) {
        isSiteKnown = false;
        askedAt = Number.NEGATIVE_INFINITY;
      }
      const isDone = await pages.purge(tags).then(
        () => true,
        () => false,
      );
      // The platform's cache could not be told, or not so soon again: whoever purges tries once more.
      return isDone
        ? new Response(null, { status: 204 })
        : new Response('not purged everywhere\n', { status: 502 });
    },
  };
}

function viewerIn(token: string | undefined): BlogViewer | null {
  const claims = token === undefined ? null : readClaims(token);
  if (!claims || (claims.expires ?? Number.POSITIVE_INFINITY) <= Date.now()) return null;
  return { id: '', username: claims.username ?? '' };
}

/** What was signed was made by an API server, not by a stranger: no more is checked than its form. */
function tagsIn(body: string): string[] {
  const { tags } = JSON.parse(body) as { tags?: unknown };
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}
