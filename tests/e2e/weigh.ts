import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import type { Locator, Page, Request } from '@playwright/test';

/** Accept-Encoding that Chromium sends to localhost, as it does over HTTPS. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
/** A data block in a script element, which no browser executes; counted with the HTML. */
const DATA = 'application/ld+json';

/** A resource that a page requested. */
export interface Arrival {
  url: string;
  /** Playwright's resource type: document, stylesheet, script, image, … */
  type: string;
  /** Bytes of the body on the wire, in the encoding chosen by the server, without headers and framing. */
  bytes: number;
}

/** Weighs the requests of a page from now on. */
export interface Scale {
  /** All requests so far, in order. */
  arrivals(): Promise<Arrival[]>;
  /** Resets `arrivals`. */
  tare(): void;
}

/**
 * Weighs the resources that `page` loads. Chromium reports the requests; the bytes are measured by repeating
 * each with the encodings that Chromium accepts, because Chromium's own figures include the framing.
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

/** Sum of the bytes of the given types. */
export const weightOf = (arrivals: readonly Arrival[], ...types: string[]): number =>
  arrivals.filter(({ type }) => types.includes(type)).reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes of scripts and styles loaded when each island of an article page is hydrated. */
export interface IslandWeights {
  header: number;
  /** Bytes that the comment thread needs in addition to the header. */
  comments: number;
}

/** Hydrates the header and then the comments on the article page in `page`, and weighs what is loaded. */
export async function weighIslands(page: Page, scale: Scale): Promise<IslandWeights> {
  const weightAfter = async (target: Locator, name: string) => {
    scale.tare();
    await target.hover();
    // A hydrated island has loaded all its code.
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

/** Total bytes of all inline scripts of the page, compressed with brotli. */
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
