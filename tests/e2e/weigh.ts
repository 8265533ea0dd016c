import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import type { Locator, Page, Request } from '@playwright/test';

/** What Chromium accepts from a server of this machine, as it does from any over https. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
/** A block of data in a script element, which no browser runs: it weighs with the HTML. */
const DATA = 'application/ld+json';

/** Something a page asked for. */
export interface Arrival {
  url: string;
  /** Of Playwright: document, stylesheet, script, image, … */
  type: string;
  /** Bytes of the body as it crosses the wire, encoded as the server chose, without headers and framing. */
  bytes: number;
}

/** What a page asks for from now on. */
export interface Scale {
  /** Everything asked for so far, in order. */
  arrivals(): Promise<Arrival[]>;
  /** Puts what is there aside: `arrivals` begins anew. */
  tare(): void;
}

/**
 * Weighs what `page` loads. Chromium says what is asked for; the bytes are counted by asking the server once
 * more, with the encodings that Chromium accepts, because its own figures include the framing.
 */
export function putOnScale(page: Page): Scale {
  let requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return {
    arrivals: () =>
      Promise.all(
        requests.map(async (request) => ({
          url: request.url(),
          type: request.resourceType(),
          bytes: await bodyBytes(request.url()),
        })),
      ),
    tare: () => void (requests = []),
  };
}

/** Sum over the arrivals of the given types. */
export const weightOf = (arrivals: readonly Arrival[], ...types: string[]): number =>
  arrivals.filter(({ type }) => types.includes(type)).reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes of the scripts and styles that arrive as each island of an article's page is hydrated. */
export interface IslandWeights {
  header: number;
  /** What the comment thread needs besides the header's. */
  comments: number;
}

/** Hydrates the header and then the comments of the article that `page` shows, and weighs what comes. */
export async function weighIslands(page: Page, scale: Scale): Promise<IslandWeights> {
  const weightAfter = async (target: Locator, name: string) => {
    scale.tare();
    await target.hover();
    // When an island is hydrated, all it is made of has come.
    await page.locator(`astro-island[component-url*="${name}"]:not([ssr])`).waitFor({ state: 'attached' });
    return weightOf(await scale.arrivals(), 'script', 'stylesheet');
  };
  return {
    header: await weightAfter(
      page.getByRole('banner').getByRole('link', { name: '写文章' }),
      'HeaderControls',
    ),
    comments: await weightAfter(page.getByRole('heading', { name: '评论' }), 'CommentThread'),
  };
}

/** Bytes (brotli) of all inline scripts of the page together. */
export async function inlineScriptWeight(page: Page): Promise<number> {
  const scripts = await page
    .locator(`script:not([src], [type="${DATA}"])`)
    .evaluateAll((elements) => elements.map(({ textContent }) => textContent));
  return brotliCompressSync(scripts.join('\n')).length;
}

async function bodyBytes(url: string): Promise<number> {
  const [response] = (await once(
    get(url, { agent: false, headers: { 'Accept-Encoding': ACCEPT_ENCODING } }),
    'response',
  )) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}
