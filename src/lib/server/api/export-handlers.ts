import type { Services } from '../services.ts';
import type { ApiRoutes, Handlers } from './handler.ts';

/** Edge fronts hand on whatever is below /api/file as it is. */
const FOLDER = '/api/file/export/';

/** What an author downloads of theirs. */
export const exportHandlers = ({ exports }: Services) =>
  ({
    exportBegin: async ({ viewer }) => ({ url: FOLDER + (await exports.issue(viewer)) }),
  }) satisfies Partial<Handlers>;

/** Adds the download itself: whoever has the link has it once. */
export function serveExports(api: ApiRoutes, { exports }: Services): void {
  api.get(`${FOLDER}:ticket`, async ({ req }) => {
    // A look ahead uses no link up.
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
