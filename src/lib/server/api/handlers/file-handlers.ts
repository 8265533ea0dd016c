import { Readable } from 'node:stream';
import { isRefusal } from '../../../contract/rules/errors.ts';
import type { Services } from '../../services.ts';
import type { FileService, StoredFile } from '../../files/file-service.ts';
import { clientName } from '../client-name.ts';
import type { ApiRoutes, Handlers } from '../handler.ts';
import { holdsAccessToken } from '../../shared/access-token.ts';
import { isKnown } from '../versioned-file.ts';
import { YEAR_S } from '../../../contract/rules/units.ts';

/** Caching of an original served in place of a smaller copy that is not ready yet. */
const PASSING = 'public, max-age=60';

/** Edge fronts forward requests under /api/file unchanged. */
const EXPORT_FOLDER = '/api/file/export/';

/** @param origin of the site; programs with an access token get absolute addresses */
export const fileHandlers = ({ exports, files, pictures }: Services, origin: string) =>
  ({
    uploadAvatar: ({ input, viewer }) => files.saveAvatar(viewer, input.imgData),
    uploadImage: async ({ input, viewer, authorization }) => {
      const { url } = await files.saveImage(viewer, input.file);
      return { url: holdsAccessToken(authorization ?? '') ? origin + url : url };
    },
    fetchImage: ({ input, viewer }) => files.fetchImage(viewer, input.url),
    pictureList: ({ input, viewer }) => pictures.list(input, viewer),
    pictureDelete: ({ input, viewer }) => pictures.remove(input, viewer),
    pictureReplace: ({ input, viewer, userAgent }) => pictures.replace(input, viewer, clientName(userAgent)),
    exportBegin: async ({ viewer }) => ({ url: EXPORT_FOLDER + (await exports.issue(viewer)) }),
  }) satisfies Partial<Handlers>;

export function serveFiles(api: ApiRoutes, { files }: Services): void {
  api.get('/api/file/avatar/user', async (context) => {
    const name = await files.avatarOf(context.req.query('username') ?? '').catch((error: unknown) => {
      // Our own pages pass `optional`: a 404 would log an error in every reader's console.
      const isNothing = context.req.query('optional') !== undefined && isRefusal(error, 'FILE_NOT_FOUND');
      if (!isNothing) throw error;
      return null;
    });
    if (name === null) return context.body(null, 204);
    // The file name changes with the avatar; this URL does not.
    return image(context.req.raw, files, { name }, 'public, max-age=0, must-revalidate');
  });
  api.get('/api/file/:name', (context) =>
    image(
      context.req.raw,
      files,
      { name: context.req.param('name'), asked: context.req.query('v') },
      `public, max-age=${YEAR_S}, immutable`,
    ),
  );
}

/** Opens the file only when its body is sent: an opened file that is never read stays open. */
async function image(
  request: Request,
  files: FileService,
  { name, asked }: { name: string; asked?: string | undefined },
  caching: string,
): Promise<Response> {
  const headersOf = (file: StoredFile) => ({
    'Content-Type': file.contentType,
    'Cache-Control': file.isPassing ? PASSING : caching,
    ETag: `"${file.name}"`,
  });
  if (request.method !== 'GET' || request.headers.has('if-none-match')) {
    const file = await files.find(name, asked);
    const headers = headersOf(file);
    if (isKnown(request, headers.ETag)) return new Response(null, { status: 304, headers });
    if (request.method !== 'GET')
      return new Response(null, { headers: { ...headers, 'Content-Length': String(file.size) } });
  }
  const file = await files.read(name, asked);
  return new Response(file.body, { headers: { ...headersOf(file), 'Content-Length': String(file.size) } });
}

/** Serves the export download. A link works once, for anyone who has it. */
export function serveExports(api: ApiRoutes, { exports }: Services): void {
  api.get(`${EXPORT_FOLDER}:ticket`, async ({ req }) => {
    // HEAD does not use up the link.
    if (req.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'application/zip' } });
    const { name, body } = await exports.open(req.param('ticket'));
    return new Response(body, {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="moye.zip"; filename*=UTF-8''${encodeURIComponent(name)}`,
        'Cache-Control': 'private, no-store',
      },
    });
  });
}

/** Edge fronts forward requests under /api/file unchanged. */
export const BACKUP_FOLDER = '/api/file/backup/';

/** Serves the download of a backup. A link works once, for anyone who has it. */
export function serveBackups(api: ApiRoutes, { backupConsole }: Services): void {
  api.get(`${BACKUP_FOLDER}:ticket`, async ({ req }) => {
    // HEAD does not use up the link.
    if (req.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'application/zstd' } });
    const { name, bytes, stream } = await backupConsole.open(req.param('ticket'));
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      headers: {
        'Content-Type': 'application/zstd',
        'Content-Length': String(bytes),
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        'Cache-Control': 'private, no-store',
      },
    });
  });
}
