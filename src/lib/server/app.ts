import { createLocalBlog } from './local-blog.ts';
import { createApi } from './api/api.ts';
import { createApplyVisibility } from './articles/core/apply-visibility.ts';
import { createArticleService } from './articles/core/article-service.ts';
import { createImportServices } from './articles/import/import-services.ts';
import { createPictureService } from './articles/pictures/picture-service.ts';
import { createActivityService } from './activity/activity-service.ts';
import { createReadingServices } from './articles/discovery/reading-services.ts';
import { createRenderer } from './articles/rendering/renderer.ts';
import { createRevisionService } from './articles/history/revision-service.ts';
import { createRetag } from './articles/core/retag.ts';
import { createIndexAuthor } from './articles/core/author-name.ts';
import { createSeriesService } from './articles/series/series-service.ts';
import { createPublisher } from './articles/history/publisher.ts';
import { createScheduleService } from './articles/history/schedule-service.ts';
import { createSettingsService } from './articles/core/settings-service.ts';
import { createTrashService } from './articles/history/trash-service.ts';
import { createVersionService } from './articles/history/version-service.ts';
import { createSetModeration } from './articles/core/set-moderation.ts';
import { listAddresses } from './auth/safety/email-queries.ts';
import { createRequestLimiter } from './auth/guard/guard.ts';
import { createHumanCheck } from './auth/guard/human-check.ts';
import { deriveKey } from './auth/tokens.ts';
import { changedTags } from './cache/changes.ts';
import { createPurger } from './cache/purger.ts';
import { openPageCache } from './cache/open-page-cache.ts';
import { createRenders } from './cache/renders.ts';
import { createClosingService } from './closing/closing-service.ts';
import { countWritten } from './comments/comment-queries.ts';
import { createCommentService, type CommentService } from './comments/comment-service.ts';
import type { Config } from './config/config.ts';
import { createEvents } from './db/events.ts';
import { createOverdue } from './doctor/overdue.ts';
import { createLog } from './shared/log.ts';
import { openOg } from './og/og-service.ts';
import { openAccounts, openOutside, openSignups } from './wiring/open-accounts.ts';
import { openBackups } from './wiring/open-backups.ts';
import { openExports } from './wiring/open-exports.ts';
import { openFiles } from './wiring/open-files.ts';
import { openSite } from './wiring/open-site.ts';
import { openStorage } from './wiring/open-storage.ts';
import type { Outside } from './outside/outside.ts';
import { createNoticeService } from './notices/notice-service.ts';
import { createWebhookServices } from './notices/webhook-services.ts';
import { createPushService } from './push/push-service.ts';
import { createModerationService } from './moderation/moderation-service.ts';
import { createTextJudge } from './moderation/text-judge.ts';
import { createOutsideJudge } from './moderation/outside-judge.ts';
import { createReviewServices } from './moderation/review/review-services.ts';
import { createTakedownService } from './moderation/takedown-service.ts';
import { createWordService } from './moderation/word-service.ts';
import { createFormerPathService } from './redirects/former-path-service.ts';
import { createQuotas } from './quotas/quota-service.ts';
import { createReadCounter } from './reads/read-counter.ts';
import type { App, Services } from './services.ts';
import { createOptionService } from './settings/option-service.ts';
import { createAudit } from './staff/audit.ts';
import { createStaff } from './staff/staff.ts';
import { createTagConsole } from './tags/tag-console.ts';
import { createTagService } from './tags/tag-service.ts';
import { createMaintenance } from './wiring/maintenance.ts';
import { createOriginService } from './origins/origin-service.ts';
import { createOwnProfile } from './users/own-profile.ts';
import { createUserService } from './users/user-service.ts';

export type { App };

/**
 * Opens storage and wires all services.
 * @param outside client for other sites; a test's may reach this machine
 * @param isBulk whether no reader waits for pages of this process (`RendererOptions`)
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function createApp(
  config: Config,
  now: () => number = Date.now,
  outside: Outside = openOutside(config),
  { isBulk = false } = {},
): Promise<App> {
  const log = createLog(config.logLevel);
  const { db, search, uploads, fault, folders } = await openStorage(config, log, now, { isBulk });
  const events = createEvents(db, (error) => log.error({ err: error }, 'event listener failed'));
  const audit = createAudit({ now });
  const opened = await openSite(config, { db, events, audit });
  const { site, named } = opened;
  const pageCache = openPageCache(config, db, events);
  const renderer = createRenderer({ isBulk });
  const options = createOptionService({ db, events, audit });
  const ownNames = async () => ({ title: named.title, reserved: (await options.read()).reserved_names });
  const countComments = (id: string) => countWritten(db.read, { id });
  const words = createWordService({ db, events, audit, now });
  const texts = createTextJudge({ words });
  const users = createUserService({ db, events, texts, now, countComments, ownNames });
  const calendar = { db, timeZone: config.siteTimeZone };
  const notices = createNoticeService({
    ...calendar,
    events,
    log,
    now,
    outside,
    smtp: config.smtp,
    keys: {
      webhooks: deriveKey(config.tokenSecret, 'webhooks'),
      unsubscribe: deriveKey(config.tokenSecret, 'unsubscribe'),
    },
    site: named,
    addressesOf: listAddresses,
    commentOf: (id, viewer) => comments.find(id, viewer),
    articleOf: (id) => articles.findPublic(id),
    userOf: users.findShown,
  });
  const accountServices = openAccounts(config, { db, users, events, site: named, mailer: notices, log, now });
  const webhooks = createWebhookServices({ db, notices, outside, audit });
  const { auth } = accountServices;
  const quotas = createQuotas({ db, limits: config.quotas, timeZone: config.siteTimeZone, now });
  const tags = createTagService({ db, events, quotas, texts, now });
  const versions = createVersionService({ db, quotas, now });
  const pushes = createPushService({ db, keys: config.pushKeys, origin: config.origin, log, now });
  const outsideJudge = config.moderation && createOutsideJudge({ ...config.moderation, log, now });
  const moderation = createModerationService({ db, events, words, options, notices, outsideJudge, now });
  const revisions = createRevisionService({ db, quotas, versions, moderation, now });
  const humans = createHumanCheck({
    tickets: auth.tickets,
    secret: config.tokenSecret,
    origin: config.origin,
    readOptions: options.read,
    isNew: moderation.isNewCommenter,
    now,
  });
  const applyVisibility = createApplyVisibility({ search, tags, outbox: pushes.outbox, notices, events });
  const origins = createOriginService({ db, options, audit, now });
  const writing = { db, events, quotas, moderation, origins, applyVisibility, now };
  const articles = createArticleService({ ...writing, renderer, search, tags, revisions, versions });
  const retag = createRetag({ db, tags, applyVisibility, log });
  const tagConsole = createTagConsole({ db, events, audit, retag, now });
  const series = createSeriesService({ db, events, texts, now });
  const trash = createTrashService({ ...writing, texts });
  const schedules = createScheduleService({ ...writing, articles });
  const findUser = (name: string) => users.find(name);
  const comments: CommentService = createCommentService({ ...writing, humans, notices, findUser });
  const { files, room } = openFiles(config, { db, users, uploads, quotas, outside, log, now });
  const formerPaths = createFormerPathService({ db, events });
  const pictures = createPictureService({ db, articles, series, files, quotas });
  const indexAuthor = createIndexAuthor({ db, search });
  const written = { articles, revisions, trash, comments, series, pictures, indexAuthor };
  const importing = { users, tags, series, articles, schedules, comments, files, formerPaths, options };
  const og = openOg({ ...config, db, site, log });
  const setModeration = createSetModeration({ applyVisibility, now });
  const reached = { articles, trash, comments, notices };
  const takedowns = createTakedownService({ db, events, audit, setModeration, ...reached, now });
  const backups = openBackups({ config, db, log, now });
  const staff = createStaff({
    ...accountServices,
    ...calendar,
    events,
    texts,
    audit,
    ...importing,
    takedowns,
    notices,
    backups,
    quotas,
    room,
    ...written,
    tagConsole,
    now,
  });
  const services: Services = {
    ...accountServices,
    closing: createClosingService({ db, events, users, ...webhooks, ...written, ...accountServices }),
    users,
    ownProfile: createOwnProfile({
      ...accountServices,
      db,
      events,
      users,
      texts,
      indexAuthor,
      now,
    }),
    articles,
    ...createReadingServices({ ...calendar, ...importing, audit, events, origin: config.origin, log, now }),
    quotas,
    revisions,
    series,
    trash,
    schedules,
    versions,
    formerPaths,
    ...createImportServices({ ...writing, ...calendar, ...importing, trash, now }),
    comments,
    activities: createActivityService({ db, users, articles, comments }),
    tags,
    retag,
    tagConsole,
    files,
    pictures,
    settings: createSettingsService({ articles }),
    site,
    og,
    pushes,
    words,
    moderation,
    takedowns,
    ...createReviewServices({ db, events, audit, setModeration, words, ...reached, now }),
    audit,
    ...staff,
    options,
    origins,
    notices,
    humans,
    ...openSignups(config, {
      ...accountServices,
      ...staff,
      db,
      audit,
      humans,
      notices,
      texts,
      outside,
      readOptions: options.read,
      users,
      log,
      now,
    }),
    ...webhooks,
    backups,
    overdue: createOverdue({ db, now }),
    ...openExports({ ...writing, config, auth, log, ...written, uploads, renderer }),
  };
  const limiter = createRequestLimiter({ enabled: config.limitsRates });
  const api = createApi({
    services,
    pageCache,
    log,
    limiter,
    site: { origin: config.origin, timeZone: config.siteTimeZone },
    origins: config.corsOrigins,
  });
  const purger = config.purge && createPurger({ ...config.purge, log });
  // Each process purges only what its own writes change.
  if (purger) events.listen((event, isOwn) => isOwn && purger.purge(changedTags(event)));
  const reads = createReadCounter({ ...calendar, trustedHops: config.trustedHops, log, now });
  const publisher = createPublisher({ schedules, events, log, now });
  const state = { config, writeFault: fault, folders, db, log, now };
  const maintenance = createMaintenance(services, state);
  const running = [publisher, services.backups, pushes, notices, services.related, retag, maintenance, reads];
  return {
    ...state,
    services,
    events,
    pageCache,
    reads,
    renders: createRenders(limiter),
    backend: {
      get site() {
        return opened.known();
      },
      siteNow: opened.now,
      api,
      viewerOf: async (token) => (await auth.viewerOf(token)).viewer,
      blogFor: (viewer) => createLocalBlog(services, viewer),
    },
    async startListening() {
      await db.notices?.listen({
        onNotice: events.receive,
        onGap: () => events.receive({ type: 'anything' }),
      });
    },
    startJobs: () => running.forEach((each) => each.start()),
    async close() {
      await services.exports.stop();
      await accountServices.recovery.settled();
      for (const each of running) await each.stop();
      await purger?.close();
      const threads = [search, renderer, services.sync, services.feeds, files, og];
      for (const each of threads) await each.close();
      await db.close();
      uploads.close();
    },
  };
}
