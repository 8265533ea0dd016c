import { pageTags } from '../../blog/page-tags.ts';
import { chooseEncoding } from '../cache/choose-encoding.ts';
import { encode, keepPage, type Body, type Encoding, type KeptPage } from '../cache/kept-page.ts';
import { loadFor } from '../cache/load-for.ts';
import type { PageCache } from '../cache/page-cache.ts';
import type { PlainAnswer } from '../cache/renders.ts';

/** What every answer in JSON says of itself. */
export const JSON_HEADERS: [string, string][] = [['Content-Type', 'application/json']];
/** Longer fields make a call that nobody repeats. */
const LONGEST_KEY = 1024;

/** A call's answer as bytes, and the tags it was made from (blog/page-tags.ts); null: not kept. */
export interface Made {
  bytes: Buffer<ArrayBuffer>;
  tags: readonly string[] | null;
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

/** Answers that are the same for every visitor, as bytes in the page cache, null where nothing is kept. */
export function createKeptAnswers(cache: PageCache<PlainAnswer> | null) {
  const encodings = new WeakMap<KeptPage, Map<Encoding, Promise<Body>>>();

  /** One encoding of what is kept under `key`, made once however many ask for it. */
  function encoded(page: KeptPage, encoding: Encoding, key: string): Promise<Body> | Body {
    const ready = page.bodies[encoding];
    if (ready) return ready;
    const underWay = encodings.get(page) ?? new Map<Encoding, Promise<Body>>();
    encodings.set(page, underWay);
    const made = underWay.get(encoding) ?? encode(page, encoding);
    underWay.set(encoding, made);
    return made.finally(() => cache?.resize(key, page));
  }

  return {
    encoded,

    /**
     * The answer to a visitor's call, kept or made now; throws what `make` throws to all who wait.
     * @param key the call and its checked fields; over 1,024 characters nothing is kept
     * @param acceptEncoding the header of the request, if it had one
     * @param make makes it in the client's turn; see `loadFor`
     */
    async answer(
      key: string,
      acceptEncoding: string | undefined,
      make: () => Promise<Made>,
    ): Promise<Response> {
      const encoding = chooseEncoding(acceptEncoding);
      const kept = key.length > LONGEST_KEY ? undefined : cache?.get(key);
      if (kept) return toResponse(await encoded(kept, encoding, key), encoding);
      if (!cache || key.length > LONGEST_KEY) return toResponse(await make());
      const made = await loadFor(cache, key, async () => {
        const { bytes, tags } = await make();
        if (tags) return { kept: keepPage(bytes, JSON_HEADERS, [pageTags.site, ...tags]) };
        return { kept: null, answer: { status: 200, headers: Object.fromEntries(JSON_HEADERS), bytes } };
      });
      if (!made.kept) return toResponse(made.answer);
      return toResponse(await encoded(made.kept, encoding, key), encoding);
    },
  };
}

/** @param body in `encoding`; an answer in none is compressed on its way out, like any other */
export function toResponse({ bytes }: Pick<Body, 'bytes'>, encoding: Encoding = 'identity'): Response {
  const headers = new Headers([
    ...JSON_HEADERS,
    ['Vary', 'Accept-Encoding'],
    ['Content-Length', String(bytes.length)],
  ]);
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  // Of memory that is never shared; Response need not copy it for its type alone.
  return new Response(bytes as Buffer<ArrayBuffer>, { headers });
}
