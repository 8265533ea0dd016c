import type { GuideParts } from '../guides/guide-site.ts';
import { openExport, type ExportFiles } from '../export/export-files.ts';
import { ExportError, FORMAT, FormatNumber, MANIFEST, Manifest } from '../export/format.ts';
import { importArticles, importComments, importReads } from './reimport-articles.ts';
import {
  importFriends,
  importNotifications,
  importPictures,
  importSeries,
  importTags,
  importUsers,
  removeUntouchedGuides,
} from './reimport-lists.ts';
import { importSite } from './reimport-site.ts';
import { createReinstateService } from '../articles/history/reinstate-service.ts';
import { REIMPORT_KINDS, type Reimport, type ReimportReport } from '../export/reimport-report.ts';
import { parse, type ReimportRun } from './reimport-run.ts';
import { retrying } from './retry.ts';
import { MIB } from '../../contract/rules/units.ts';

export type ReimportParts = Parameters<typeof createReinstateService>[0] &
  GuideParts &
  Pick<ReimportRun, 'uploads'>;

const MAX_MANIFEST_BYTES = 64 * MIB;

/**
 * Imports an export: into an empty site, exactly the same rows. Existing data is not changed, except that an
 * untouched site loses its guides; so a second import of the same export changes nothing, or resumes an
 * interrupted one. Temporary refusals are retried. A dry run makes the same decisions and omits the writes.
 */
export function createReimport(parts: ReimportParts): Reimport {
  const service = createReinstateService(parts);
  return async function reimport(path, options) {
    const files = await openExport(path);
    try {
      const manifest = await readManifest(files);
      if (options.author !== null && manifest.kind === 'site')
        throw new ExportError('--author 只用于一位作者的导出，这是整站的导出');
      const report: ReimportReport = {
        manifest,
        counts: emptyCounts(),
        losses: [],
        withoutPassword: [],
        wasStopped: false,
      };
      const { signal } = options;
      const run: ReimportRun = {
        ...parts,
        db: { ...parts.db, ...retrying({ write: parts.db.write }, signal) },
        uploads: retrying(parts.uploads, signal),
        ...options,
        reinstate: retrying(service, signal),
        files,
        report,
        users: new Map(),
        removedGuides: null,
        articleIds: new Set(),
        madeTags: new Set(),
        thanks: new Map(),
      };
      await importAll(run);
      return run.report;
    } finally {
      await files.close();
    }
  };
}

const emptyCounts = () =>
  Object.fromEntries(
    REIMPORT_KINDS.map((kind) => [kind, { created: 0, same: 0, left: 0 }]),
  ) as ReimportReport['counts'];

async function importAll(run: ReimportRun): Promise<void> {
  try {
    await removeUntouchedGuides(run);
    await importUsers(run);
    await importPictures(run);
    await importTags(run);
    await importSeries(run);
    await importArticles(run);
    await importComments(run);
    await importReads(run);
    await importNotifications(run);
    await importFriends(run);
    await importSite(run);
  } catch (error) {
    if (!run.signal.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
    run.report.wasStopped = true;
  }
  for (const name of run.report.manifest.missing)
    run.report.losses.push({ what: `图片 ${name}`, why: '导出时文件已经不在' });
}

async function readManifest(files: ExportFiles): Promise<Manifest> {
  const text = (await files.read(MANIFEST, MAX_MANIFEST_BYTES)).toString('utf8');
  const { moye_export: format } = parse(text, FormatNumber, MANIFEST);
  if (format > FORMAT)
    throw new ExportError(`这份导出是更新版本的墨页做的（格式 ${format}）：请用那个版本导入`);
  return parse(text, Manifest, MANIFEST);
}
