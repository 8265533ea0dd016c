import { LISTS, SITE_PARTS, SitePart } from '../export/format.ts';
import { readLogo } from '../site/icons.ts';
import * as queries from './reimport-queries.ts';
import { entriesOf, type ReimportRun } from './reimport-run.ts';

/** Imports name, navigation, look and logo of a site that has set none. */
export async function importSite(run: ReimportRun): Promise<void> {
  if (run.report.manifest.kind !== 'site') return;
  for await (const parts of entriesOf(run, LISTS.site, SitePart))
    for (const { name, value } of parts) {
      if (!(await isUsable(name, value)))
        run.report.losses.push({ what: `网站的设置 ${name}`, why: '不是这个版本能用的值' });
      else if (!run.isDryRun)
        await run.db.write(async (trx) => {
          await queries.insertSetting(trx, { name, value: JSON.stringify(value) });
          run.events.emit(trx, { type: 'options-changed' });
        });
    }
}

/** Fields and looks are validated where they are read; a logo must be a picture. */
async function isUsable(name: SitePart['name'], value: unknown): Promise<boolean> {
  if (!SITE_PARTS[name].safeParse(value).success) return false;
  const logo = name === 'site_logo' && SITE_PARTS.site_logo.parse(value);
  return (
    !logo ||
    readLogo(logo.name, Buffer.from(logo.base64, 'base64')).then(
      () => true,
      () => false,
    )
  );
}
