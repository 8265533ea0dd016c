import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { Hono } from 'hono';
import { BOUNDS } from '../../contract/bounds.ts';
import { calls } from '../../contract/calls.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import type { Services } from '../services.ts';
import type { FileService, StoredFile } from '../files/file-service.ts';
import type { OpenedUpload } from '../files/uploads.ts';
import { collect, type Collected, type HeldBody } from './held-bodies.ts';
import { route, type Route } from './route.ts';

const YEAR_S = 31_536_000;

/** Uploads that arrive as fields. */
export const fileRoutes = ({ files }: Services): Route[] => [
  route(calls.uploadAvatar, ({ input, viewer }) => files.saveAvatar(viewer, input.imgData)),
];

/**
 * Reads the image in the first `file` part of a multipart form, chunk by chunk: `Request.formData` reads 8 MB
 * in one turn of the event loop, in 20 ms and three copies. What is beyond the largest image is dropped but
 * for its first byte, which shows it. Refuses with IMAGE_MISSING, BODY_MALFORMED, and as `HeldBody.chunks`.
 */
export async function readImagePart({ headers }: Request, body: HeldBody): Promise<Uint8Array> {
  let image: Collected | undefined;
  const most = BOUNDS.imageBytes + 1;
  try {
    const form = new Busboy({
      headers: { 'content-type': headers.get('content-type') ?? '' },
      limits: { fileSize: most },
    });
    form.on('file', (name, part) => {
      const own = name === 'file' && image === undefined ? (image = collect(most)) : undefined;
      part.on('data', (chunk: Buffer) => own?.add(chunk));
      part.on('error', (error) => form.destroy(error));
    });
    // What a text part says is no image.
    form.on('field', (name) => name === 'file' && (image ??= collect(0)));
    await pipeline(body.chunks(), form);
  } catch (error) {
    if (isRefusal(error)) throw error;
    return refuse('BODY_MALFORMED', { text: '请以 multipart 表单上传图片' });
  }
  const bytes = image?.bytes();
  return bytes && bytes.length > 0 ? bytes : refuse('IMAGE_MISSING');
}

/** Adds what answers with bytes instead of an envelope. */
export function serveFiles(api: Hono, { files }: Services): void {
  api.get('/api/file/avatar/user', async (context) => {
    const name = await files.avatarOf(context.req.query('username') ?? '').catch((error: unknown) => {
      // Our own pages only try, with `optional`: a 404 would stand as an error in every reader's console.
      const isNothing = context.req.query('optional') !== undefined && isRefusal(error, 'FILE_NOT_FOUND');
      if (!isNothing) throw error;
      return null;
    });
    if (name === null) return context.body(null, 204);
    // The name of the bytes changes with the avatar, this URL does not.
    return image(context.req.raw, files, name, 'public, max-age=0, must-revalidate');
  });
  api.get('/api/file/:name', (context) =>
    image(context.req.raw, files, context.req.param('name'), `public, max-age=${YEAR_S}, immutable`),
  );
}

/** Reads the bytes only when they are sent: an opened file that nobody reads stays open. */
async function image(request: Request, files: FileService, name: string, caching: string): Promise<Response> {
  const etag = `"${name}"`;
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  const isKnown = known?.includes(etag) ?? false;
  const isSent = !isKnown && request.method === 'GET';
  const file: StoredFile & { body?: OpenedUpload['body'] } = await (isSent
    ? files.read(name)
    : files.find(name));
  const headers = { 'Content-Type': file.contentType, 'Cache-Control': caching, ETag: etag };
  if (isKnown) return new Response(null, { status: 304, headers });
  return new Response(file.body, { headers: { ...headers, 'Content-Length': String(file.size) } });
}
