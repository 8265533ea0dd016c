import type { AuthService } from '../auth/auth-service.ts';
import type { Config } from '../config/config.ts';
import { requireReserve } from '../storage/disk-reserve.ts';
import { createExportService, type ExportService } from '../export/export-service.ts';
import { exportInThread } from '../export/export-thread.ts';
import type { Reimport } from '../export/reimport-report.ts';
import type { Log } from '../shared/log.ts';
import { createReimport, type ReimportParts } from '../operations/reimport.ts';
import { findUserById } from '../users/user-queries.ts';

interface Parts extends ReimportParts {
  config: Config;
  auth: Pick<AuthService, 'tickets'>;
  log: Log;
}

export function openExports({ config, auth, log, ...parts }: Parts): {
  exports: ExportService;
  reimport: Reimport;
} {
  const { dataDir, databaseUrl, uploads, siteTimeZone, limitsRates, diskReserveBytes } = config;
  const site = { dataDir, databaseUrl, uploads, siteTimeZone };
  const { db } = parts;
  const exports = createExportService({
    db,
    tickets: auth.tickets,
    users: { findById: (id) => findUserById(db.read, id) },
    isLimited: limitsRates,
    requireReserve: () => requireReserve(dataDir, diskReserveBytes),
    run: (authorId, onEnd) => exportInThread({ site, authorId }, onEnd),
    log,
  });
  return { exports, reimport: createReimport(parts) };
}
