import type { Database } from '../../db/database.ts';
import type { FileService } from '../../files/file-service.ts';
import type { FormerPathService } from '../../redirects/former-path-service.ts';
import type { Quotas } from '../../quotas/quota-service.ts';
import type { ArticleService } from '../core/article-service.ts';
import type { ScheduleService } from '../history/schedule-service.ts';
import { createImportService } from './import-service.ts';
import type { ModerationService } from '../../moderation/moderation-service.ts';
import type { TrashService } from '../history/trash-service.ts';
import type { SiteImportParts } from './site-import-parts.ts';
import type { SeriesService } from '../series/series-service.ts';
import { createSiteImportService } from './site-import-service.ts';
import { createSyncService } from '../sync/sync-service.ts';

export function createImportServices({
  articles,
  formerPaths,
  schedules,
  timeZone,
  ...parts
}: Omit<SiteImportParts, 'imports'> & {
  db: Database;
  articles: ArticleService;
  formerPaths: FormerPathService;
  files: FileService;
  series: SeriesService;
  schedules: Pick<ScheduleService, 'setIn'>;
  trash: Pick<TrashService, 'restore'>;
  moderation: Pick<ModerationService, 'withheldAmong'>;
  quotas: Pick<Quotas, 'requireSome'>;
  timeZone: string;
  now: () => number;
}) {
  const imports = createImportService({
    db: parts.db,
    articles,
    files: parts.files,
    formerPaths,
    series: parts.series,
  });
  return {
    imports,
    siteImports: createSiteImportService({ ...parts, imports }),
    sync: createSyncService({ ...parts, articles, imports, schedules, timeZone }),
  };
}
