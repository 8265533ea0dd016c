import type { Config } from '../config/config.ts';
import { createExportService } from '../export/export-service.ts';
import { exportInThread } from '../export/export-thread.ts';
import { createReimport, type ReimportParts } from '../operations/reimport.ts';
import type { Uses } from '../services.ts';
import { requireReserve } from '../storage/disk-reserve.ts';
import { findUserById } from '../users/user-queries.ts';

export function openExports(config: Config, parts: Uses<'auth'> & ReimportParts) {
  const { dataDir, databaseUrl, uploads, siteTimeZone, limitsRates, diskReserveBytes } = config;
  const site = { dataDir, databaseUrl, uploads, siteTimeZone };
  const exports = createExportService({
    ...parts,
    findById: (id) => findUserById(parts.db.read, id),
    isLimited: limitsRates,
    requireReserve: () => requireReserve(dataDir, diskReserveBytes),
    run: (authorId, onEnd) => exportInThread({ site, authorId }, onEnd),
  });
  return { exports, reimport: createReimport(parts) };
}
