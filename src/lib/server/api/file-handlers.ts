import type { Hono } from 'hono';
import { isRefusal } from '../../contract/errors.ts';
import type { Services } from '../services.ts';
import type { FileService, StoredFile } from '../files/file-service.ts';
import type { OpenedUpload } from '../files/uploads.ts';
import { clientName } from './client-name.ts';
import type { Handlers } from './handler.ts';
import { isKnown } from './known-etag.ts';

const YEAR_S = 31_536_000;

/** Uploads. */
export const fileHandlers = ({ files, pictures }: Services) =>
  ({
    uploadAvatar: ({ input, viewer }) => files.saveAvatar(viewer, input.imgData),
    uploadImage: ({ input, viewer }) => files.saveImage(viewer, input.file),
    fetchImage: ({ input, viewer }) => files.fetchImage(viewer, input.url),
    pictureList: ({ input, viewer }) => pictures.list(input, viewer),
    pictureDelete: ({ input, viewer }) => pictures.remove(input, viewer),
    pictureReplace: ({ input, viewer, userAgent }) => pictures.replace(input, viewer, clientName(userAgent)),
  }) satisfies Partial<Handlers>;

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
  const isKept = isKnown(request, etag);
  const isSent = !isKept && request.method === 'GET';
  const file: StoredFile & { body?: OpenedUpload['body'] } = await (isSent
    ? files.read(name)
    : files.find(name));
  const headers = { 'Content-Type': file.contentType, 'Cache-Control': caching, ETag: etag };
  if (isKept) return new Response(null, { status: 304, headers });
  return new Response(file.body, { headers: { ...headers, 'Content-Length': String(file.size) } });
}
