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
  const { db, log } = state;
  let isFirst = true;

  async function chores(signal: AbortSignal): Promise<void> {
    const isStopping = () => signal.aborted;
    const renewed = await services.articles.rerenderOutdated(isStopping);
    if (renewed > 0) log.info({ renewed }, 'articles rendered again');
    if (!isStopping()) await services.picks.refresh();
    if (!isStopping()) await services.overview.countPastDays(isStopping);
    if (!isStopping()) await services.auth.purgeExpired();
    if (!isStopping()) await services.accessTokens.purgeExpired();
    if (!isStopping()) await services.closing.closeDue(isStopping);
    if (!isStopping()) await services.users.purgeReservations();
    if (!isStopping()) await services.trash.purgeExpired(isStopping);
    if (!isStopping()) await services.bans.showAfterBans(isStopping);
    if (!isStopping()) await services.takedowns.purgeExpired();
    if (!isStopping()) await services.moderation.purge();
    if (!isStopping()) await services.quotas.purgeExpired();
    if (!isStopping()) await services.notifications.purgeExpired();
    if (!isStopping()) await services.notices.outbox.purgeExpired();
    if (!isStopping()) await services.origins.purgeExpired();
    if (!isStopping()) await services.files.removeOrphans();
    // Only a restore or an older version makes copies and records differ.
    if (isFirst && !isStopping()) await services.files.mendVariants();
    isFirst = false;
    if (!isStopping()) await services.files.removeUnusedVariants(isStopping);
    if (!isStopping()) await services.files.room.warn(services.notices);
    if (!isStopping()) await services.related.catchUp();
  }
  const maintenance = createJob((signal) => db.alone(() => chores(signal)), {
    everyMs: UPKEEP_INTERVAL_MS,
    failed: (error) => log.error({ err: error }, 'maintenance job failed'),
  });
  const asked = createJob(services.files.flushAsked, {
    everyMs: UPKEEP_INTERVAL_MS,
    failed: (error) => log.warn({ err: error }, 'recording requests for smaller pictures failed'),
  });
  return joinJobs([asked, maintenance, openAlarms({ services, ...state })]);
}
