import { createHash } from 'node:crypto';
import { apiDocument } from '../../../contract/openapi/document.ts';
import { FILE_ROUTES } from '../../../contract/rules/file-routes.ts';
import type { ApiRoutes } from '../handler.ts';
import { sendVersioned } from '../versioned-file.ts';

const MAX_AGE_S = 300;

export function serveOpenApi(api: ApiRoutes): void {
  const read = () => {
    const bytes = Buffer.from(JSON.stringify(apiDocument()));
    const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { bytes, type: 'application/json', version };
  };
  let file: ReturnType<typeof read> | undefined;
  api.get(FILE_ROUTES.openapi.path, ({ req }) =>
    sendVersioned(req.raw, (file ??= read()), `public, max-age=${MAX_AGE_S}`),
  );
}
