import type { Backend, BlogViewer } from '../blog/backend.ts';
import { createRemoteBlog } from '../blog/remote.ts';
import { pageTags } from '../shared/pages/page-tags.ts';
import { readClaims } from '../shared/token.ts';
import { isSigned, MAX_PURGE_BYTES } from '../shared/purge-signature.ts';
import { findMissingCalls, findSiteFacts } from './api-facts.ts';
import { createBreaker } from './breaker.ts';
import { createCachedPages, type CachedPagesOptions } from './cached-pages.ts';
import { createKeptFiles } from './kept-files.ts';
import { openOrigin, unavailable } from './origin.ts';
import { passThrough } from './pass-through.ts';
import { createEdgeRenderer } from './rendering.ts';
import { readText } from './read-text.ts';
import { readEdgeSettings } from './settings.ts';

export type Platform = Pick<CachedPagesOptions, 'freshMs' | 'front' | 'platformCache'>;

const REFRESH_INTERVAL_MS = 600_000;
/** Retry interval while the API does not respond, so pages do not wait for it each time. */
const RETRY_INTERVAL_MS = 15_000;

/**
 * Creates the backend of an edge front, which sends every call to the API at API_ORIGIN. The token is not
 * verified here and only decides what is offered; the API serves private data.
 * @param read returns the value of a setting by its variable
 * @throws a one-line error that names the unusable setting
 */
export function createEdgeBackend(read: (name: string) => string | undefined, platform: Platform): Backend {
  const { apiOrigin, site, ownFacts, purgeSecret } = readEdgeSettings(read);
  let isSiteKnown = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** Does not wait for a call that another request has started: runtimes do not allow that. */
  async function learnOfApi(): Promise<void> {
    if (Date.now() - askedAt < REFRESH_INTERVAL_MS) return;
    askedAt = Date.now();
    const [missing, facts] = await Promise.all([findMissingCalls(apiOrigin), findSiteFacts(apiOrigin)]);
    if (missing === null || facts === null) askedAt += RETRY_INTERVAL_MS - REFRESH_INTERVAL_MS;
    if (missing !== null) site.missingCalls = missing;
    if (facts === null) return;
    Object.assign(site, facts, ownFacts);
    isSiteKnown = true;
  }
  const renderer = createEdgeRenderer();
  const keepFiles = createKeptFiles();
  const breaker = createBreaker();
  const pages = createCachedPages({ ...platform, isApiAway: breaker.isOpen });
  return {
    site,
    pages: {
      answer: (request, isVisitor, render) => pages.answer(request, isVisitor && isSiteKnown, render),
    },
    async api(request, { address }) {
      const answer = await keepFiles(request, await passThrough(apiOrigin, request, address));
      // Pictures whose URL changes with their bytes: the platform may cache them as browsers do.
      const caching = answer.headers.get('Cache-Control') ?? '';
      if (platform.front && caching.includes('immutable')) answer.headers.set(platform.front.header, caching);
      return answer;
    },
    async viewerOf(token) {
      await learnOfApi();
      return viewerIn(token);
    },
    blogFor(viewer, { token, address }) {
      const asker = { token: viewer ? token : undefined, address };
      const ask = openOrigin(apiOrigin, asker, { breaker });
      return createRemoteBlog({ ask, unavailable, ...renderer });
    },
    async purge(request) {
      if (purgeSecret === undefined) return new Response('purging is not set up\n', { status: 404 });
      const body = await readText(request, MAX_PURGE_BYTES).catch(() => null);
      if (body === null) return new Response('too large\n', { status: 413 });
      const isTrue = await isSigned(purgeSecret, { headers: request.headers, body, now: Date.now() });
      if (!isTrue) return new Response('not signed\n', { status: 403 });
      const tags = tagsIn(body);
      // The site's name may have changed: no page is cached until the API has returned it.
      if (tags.includes(pageTags.site)) {
        isSiteKnown = false;
        askedAt = Number.NEGATIVE_INFINITY;
      }
      const isDone = await pages.purge(tags).then(
        () => true,
        () => false,
      );
      // The platform's cache refused the purge, or refused it so soon after the last one: the API server
      // retries.
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

/** The signature proves that an API server made the body, so only its form is checked. */
function tagsIn(body: string): string[] {
  const { tags } = JSON.parse(body) as { tags?: unknown };
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}
