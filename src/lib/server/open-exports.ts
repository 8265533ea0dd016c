import type { Tickets } from './auth/tickets.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createExportService, type ExportService } from './export/export-service.ts';
import { exportInThread } from './export/export-thread.ts';
import type { Log } from './log.ts';
import { findUserById } from './users/user-queries.ts';

interface Parts {
  config: Config;
  db: Database;
  tickets: Tickets;
  log: Log;
}

/** What authors download of theirs, made in a thread. */
export function openExports({ config, db, tickets, log }: Parts): ExportService {
  const { dataDir, databaseUrl, uploads, siteTimeZone, limitsRates } = config;
  const site = { dataDir, databaseUrl, uploads, siteTimeZone };
  return createExportService({
    db,
    tickets,
    users: { findById: (id) => findUserById(db.read, id) },
    isLimited: limitsRates,
    run: (authorId, onEnd) => exportInThread({ site, authorId }, onEnd),
    log,
  });
}
