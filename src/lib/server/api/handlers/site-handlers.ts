import { idField } from '../../../contract/fields.ts';
import { OG_FOLDER, SITE_FILES, SITE_PICTURE } from '../../../contract/rules/paths.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Services } from '../../services.ts';
import { answerWith, type ApiRoutes, type Handlers } from '../handler.ts';
import { BACKUP_FOLDER } from './file-handlers.ts';
import { sendVersioned } from '../versioned-file.ts';
import { DAY_S, YEAR_S } from '../../../contract/rules/units.ts';

export const siteHandlers = ({ site, looks, settingsConsole, backups, backupConsole, sso }: Services) =>
  ({
    site: () => site.read(),
    siteIdentity: () => site.identity(),
    siteIdentityChange: ({ input, viewer }) => site.change(input, viewer),
    siteLogo: ({ input, viewer }) => site.setLogo(Buffer.from(input.logo, 'base64'), viewer),
    siteLogoRemove: ({ viewer }) => site.removeLogo(viewer),
    looks: () => looks.list(),
    lookSave: ({ input, viewer }) => looks.save(input.look, viewer),
    lookDelete: ({ input, viewer }) => looks.remove(input.name, viewer),
    operatorSettings: ({ input }) => settingsConsole.read(input.group),
    operatorSettingsChange: ({ input, ...by }) => settingsConsole.change(input, by),
    providerTest: ({ input }) => sso.check(input.id),
    backupState: () => backupConsole.state(),
    backupStart: answerWith('开始备份了', () => backups.begin()),
    backupCheck: answerWith('开始核对了', ({ input }) => backups.beginCheck(input.name)),
    backupDownload: async ({ input, ...by }) => ({
      url: BACKUP_FOLDER + (await backupConsole.issue(input, by)),
    }),
  }) satisfies Partial<Handlers>;

export function serveSiteFiles(api: ApiRoutes, { site }: Services): void {
  for (const path of SITE_FILES) {
    api.get(path, async ({ req }) => {
      const file = (await site.file(path)) ?? refuse('FILE_NOT_FOUND');
      const isNamed = req.query('v') !== undefined;
      const caching = isNamed ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${DAY_S}`;
      return sendVersioned(req.raw, file, caching);
    });
  }
}

/** Short, because an article that becomes private must also disappear from HTTP caches. */
const OG_MAX_AGE_S = 600;

export function serveOgPictures(api: ApiRoutes, { og }: Services): void {
  api.get(`${OG_FOLDER}/:file`, async ({ req, env: { address } }) => {
    const name = /^(.*)\.png$/.exec(req.param('file'))?.[1] ?? '';
    const id = idField.safeParse(name);
    const picture =
      name === SITE_PICTURE ? await og.ofSite(address) : id.success && (await og.ofArticle(id.data, address));
    if (!picture) return refuse('FILE_NOT_FOUND');
    return sendVersioned(req.raw, { ...picture, type: 'image/png' }, `public, max-age=${OG_MAX_AGE_S}`);
  });
}
