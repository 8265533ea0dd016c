import { createJob, joinJobs } from '../jobs/jobs.ts';
import type { Services } from '../services.ts';
import { openAlarms } from './open-alarms.ts';
import { HOUR_MS } from '../../contract/rules/units.ts';

const UPKEEP_INTERVAL_MS = HOUR_MS;

/**
 * Creates the hourly background job, run by one process at a time; failed tasks are retried in the next hour.
 * Each process also records hourly which smaller pictures were requested from it, and raises alarms.
 */
export function createMaintenance(
  services: Services,
  state: Omit<Parameters<typeof openAlarms>[0], 'services'>,
) {
  const {
    accessTokens,
    articles,
    auth,
    bans,
    files,
    moderation,
    notices,
    origins,
    overview,
    picks,
    quotas,
    related,
    takedowns,
    trash,
    users,
  } = services;
  const { db, log } = state;
  let isFirst = true;

  async function chores(signal: AbortSignal): Promise<void> {
    const isStopping = () => signal.aborted;
    const renewed = await articles.rerenderOutdated(isStopping);
    if (renewed > 0) log.info({ renewed }, 'articles rendered again');
    if (!isStopping()) await picks.refresh();
    if (!isStopping()) await overview.countPastDays(isStopping);
    if (!isStopping()) await auth.purgeExpired();
    if (!isStopping()) await accessTokens.purgeExpired();
    if (!isStopping()) await users.purgeReservations();
    if (!isStopping()) await trash.purgeExpired(isStopping);
    if (!isStopping()) await bans.showAfterBans(isStopping);
    if (!isStopping()) await takedowns.purgeExpired();
    if (!isStopping()) await moderation.purge();
    if (!isStopping()) await quotas.purgeExpired();
    if (!isStopping()) await notices.outbox.purgeExpired();
    if (!isStopping()) await origins.purgeExpired();
    if (!isStopping()) await files.removeOrphans();
    // Only a restore or an older version makes copies and records differ.
    if (isFirst && !isStopping()) await files.mendVariants();
    isFirst = false;
    if (!isStopping()) await files.removeUnusedVariants(isStopping);
    if (!isStopping()) await files.room.warn(notices);
    if (!isStopping()) await related.catchUp();
  }
  const maintenance = createJob((signal) => db.alone(() => chores(signal)), {
    everyMs: UPKEEP_INTERVAL_MS,
    failed: (error) => log.error({ err: error }, 'maintenance job failed'),
  });
  const asked = createJob(files.flushAsked, {
    everyMs: UPKEEP_INTERVAL_MS,
    failed: (error) => log.warn({ err: error }, 'recording requests for smaller pictures failed'),
  });
  return joinJobs([asked, maintenance, openAlarms({ services, ...state })]);
}
