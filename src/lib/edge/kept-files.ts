import { plainPath, SITE_FILES } from '../contract/rules/paths.ts';
import { KIB, MIB } from '../contract/rules/units.ts';
import { unavailableAnswer } from './origin.ts';
import { readBytes } from './read-text.ts';

/** An icon of 512 × 512 pixels without compression. */
const MAX_FILE_BYTES = MIB;
const MAX_KEPT_BYTES = 64 * KIB;

/**
 * Keeps the newest copy of the site's files (rules/paths.ts) and returns it while the API does not
 * respond: pages that the front shows then keep their colours and icons.
 */
export function createKeptFiles() {
  const kept = new Map<string, { bytes: ArrayBuffer; headers: Headers }>();

  /** Returns `answer`, the API's response to `request`, or a copy of an earlier one if the API is away. */
  return async (request: Request, answer: Response): Promise<Response> => {
    const pathname = plainPath(new URL(request.url).pathname);
    if (request.method !== 'GET' || !SITE_FILES.some((file) => file === pathname)) return answer;
    if (answer.status === 304) return answer;
    if (answer.status === 404 || answer.status === 410) {
      kept.delete(pathname);
      return answer;
    }
    const bytes = answer.status === 200 ? await readBytes(answer, MAX_FILE_BYTES).catch(() => null) : null;
    if (bytes) {
      const { headers } = answer;
      if (bytes.byteLength <= MAX_KEPT_BYTES) kept.set(pathname, { bytes, headers: new Headers(headers) });
      return new Response(bytes, { headers });
    }
    const copy = kept.get(pathname);
    await (answer.bodyUsed ? undefined : answer.body?.cancel());
    if (!copy) return unavailableAnswer();
    const headers = new Headers(copy.headers);
    headers.set('Cache-Control', 'no-cache');
    return new Response(copy.bytes, { headers });
  };
}
