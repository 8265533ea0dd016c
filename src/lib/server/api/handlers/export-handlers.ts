import type { Services } from '../../services.ts';
import type { ApiRoutes, Handlers } from '../handler.ts';

/** Edge fronts forward requests under /api/file unchanged. */
const FOLDER = '/api/file/export/';

export const exportHandlers = ({ exports }: Services) =>
  ({
    exportBegin: async ({ viewer }) => ({ url: FOLDER + (await exports.issue(viewer)) }),
  }) satisfies Partial<Handlers>;

/** Serves the export download. A link works once, for anyone who has it. */
export function serveExports(api: ApiRoutes, { exports }: Services): void {
  api.get(`${FOLDER}:ticket`, async ({ req }) => {
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
