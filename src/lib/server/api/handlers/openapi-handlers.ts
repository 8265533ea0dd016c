import { apiDocument } from '../../../contract/openapi/document.ts';
import { FILE_ROUTES } from '../../../contract/rules/file-routes.ts';
import { encode, toCachedPage, type Body, type Encoding } from '../../cache/cached-page.ts';
import { chooseEncoding } from '../../cache/choose-encoding.ts';
import type { ApiRoutes } from '../handler.ts';
import { isKnown } from '../versioned-file.ts';

const MAX_AGE_S = 300;
const HEADERS: [string, string][] = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', `public, max-age=${MAX_AGE_S}`],
];

/** Serves the description of the API. Each encoding is made once. */
export function serveOpenApi(api: ApiRoutes): void {
  const made = new Map<Encoding, Promise<Body>>();
  const make = (encoding: Encoding): Promise<Body> =>
    encode(toCachedPage(Buffer.from(JSON.stringify(apiDocument())), HEADERS, []), encoding);
  api.get(FILE_ROUTES.openapi.path, async ({ req }) => {
    const encoding = chooseEncoding(req.header('accept-encoding'));
    const body = made.get(encoding) ?? make(encoding);
    made.set(encoding, body);
    const { bytes, etag, fields, notModified } = await body;
    if (isKnown(req.raw, etag)) return new Response(null, { status: 304, headers: pairs(notModified) });
    // The buffer is never shared memory; the cast avoids a copy.
    return new Response(bytes as Buffer<ArrayBuffer>, { headers: pairs(fields) });
  });
}

/** Names and values of headers in turn, as pairs. */
const pairs = (fields: readonly string[]): [string, string][] =>
  fields.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, fields[at + 1] ?? '']] : []));
