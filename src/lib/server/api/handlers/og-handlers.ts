import { refuse } from '../../../contract/rules/errors.ts';
import { idField } from '../../../contract/fields.ts';
import { OG_FOLDER, SITE_PICTURE } from '../../../contract/rules/paths.ts';
import type { Services } from '../../services.ts';
import type { ApiRoutes } from '../handler.ts';
import { sendVersioned } from '../versioned-file.ts';

/** Short, because an article that becomes private must also disappear from HTTP caches. */
const MAX_AGE_S = 600;

export function serveOgPictures(api: ApiRoutes, { og }: Services): void {
  api.get(`${OG_FOLDER}/:file`, async ({ req, env: { address } }) => {
    const name = /^(.*)\.png$/.exec(req.param('file'))?.[1] ?? '';
    const id = idField.safeParse(name);
    const picture =
      name === SITE_PICTURE ? await og.ofSite(address) : id.success && (await og.ofArticle(id.data, address));
    if (!picture) return refuse('FILE_NOT_FOUND');
    return sendVersioned(req.raw, { ...picture, type: 'image/png' }, `public, max-age=${MAX_AGE_S}`);
  });
}
