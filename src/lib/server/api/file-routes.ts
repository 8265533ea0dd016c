import type { Hono } from 'hono';
import { calls } from '../../contract/calls.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import type { Services } from '../app.ts';
import type { StoredFile } from '../files/file-service.ts';
import { route, type Route } from './route.ts';

const YEAR_S = 31_536_000;

/** Uploads that arrive as fields. */
export const fileRoutes = ({ files }: Services): Route[] => [
  route(calls.uploadAvatar, ({ input, viewer }) => files.saveAvatar(viewer, input.imgData)),
];

/** The image in the `file` part of a multipart form. Refuses with IMAGE_MISSING, BODY_MALFORMED. */
export async function readImagePart(request: Request): Promise<Uint8Array> {
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    return refuse('BODY_MALFORMED', { text: '请以 multipart 表单上传图片' });
  }
  const part = form.get('file');
  if (!(part instanceof File)) refuse('IMAGE_MISSING');
  return new Uint8Array(await part.arrayBuffer());
}

/** Adds what answers with bytes instead of an envelope. */
export function serveFiles(api: Hono, { files }: Services): void {
  api.get('/api/file/avatar/user', async (context) => {
    const file = await files.avatarOf(context.req.query('username') ?? '').catch((error: unknown) => {
      // Our own pages only try, with `optional`: a 404 would stand as an error in every reader's console.
      const isNothing = context.req.query('optional') !== undefined && isRefusal(error, 'FILE_NOT_FOUND');
      if (!isNothing) throw error;
      return null;
    });
    if (file === null) return context.body(null, 204);
    // The name of the bytes changes with the avatar, this URL does not.
    return image(context.req.raw, file, 'public, max-age=0, must-revalidate');
  });
  api.get('/api/file/:name', async (context) =>
    image(
      context.req.raw,
      await files.read(context.req.param('name')),
      `public, max-age=${YEAR_S}, immutable`,
    ),
  );
}

function image(request: Request, file: StoredFile, caching: string): Response {
  const etag = `"${file.name}"`;
  const headers = { 'Content-Type': file.contentType, 'Cache-Control': caching, ETag: etag };
  const known = request.headers
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(file.bytes), { headers });
}
