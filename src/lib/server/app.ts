import { createLocalBlog } from './local-blog.ts';
import { createRoutes } from './api/api.ts';
import {
  createApplyVisibility,
  createIndexAuthor,
  createSetModeration,
} from './articles/core/apply-visibility.ts';
import { createArticleService } from './articles/core/article-service.ts';
import { createImportService } from './articles/import/import-service.ts';
import { createSiteImportService } from './articles/import/site-import-service.ts';
import { createSyncService } from './articles/sync/sync-service.ts';
import { createEmbeddedService } from './articles/pictures/embedded-service.ts';
import { createPictureService } from './articles/pictures/picture-service.ts';
import { createActivityService } from './activity/activity-service.ts';
import { createArchiveService } from './articles/discovery/archive-service.ts';
import { createFeedService } from './articles/discovery/feed-service.ts';
import { createPickService } from './articles/discovery/pick-service.ts';
import { createRelatedService } from './articles/discovery/related-service.ts';
import { createSitemapService } from './articles/discovery/sitemap-service.ts';
import { createRenderer } from './articles/rendering/renderer.ts';
import { createRevisionService } from './articles/history/revision-service.ts';
import { createRetag } from './articles/core/retag.ts';
import { createSeriesService } from './articles/series/series-service.ts';
import { createPublisher, createScheduleService } from './articles/history/schedule-service.ts';
import { createSettingsService } from './articles/core/settings-service.ts';
import { createTrashService } from './articles/history/trash-service.ts';
import { createVersionService } from './articles/history/version-service.ts';
import { listAddresses } from './auth/safety/safety-queries.ts';
import { createRequestLimiter } from './auth/guard/guard.ts';
import { createHumanCheck } from './auth/guard/human-check.ts';
import { deriveKey } from './auth/tokens.ts';
import { createBackupConsole } from './backup/backup-console.ts';
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
import { createDrawer } from './og/drawer.ts';
import { openOg } from './og/og-service.ts';
import { openAccounts, openOutside, openSignups } from './wiring/open-accounts.ts';
import { openBackups } from './wiring/open-backups.ts';
import { createFileService } from './files/file-service.ts';
import type { CurrentUploads } from './files/current-uploads.ts';
import { createUploadRoom } from './files/upload-room.ts';
import { isInReserve, requireReserve } from './storage/disk-reserve.ts';
import { createLookService } from './site/look-service.ts';
import { openSite } from './wiring/open-site.ts';
import { openStorage } from './wiring/open-storage.ts';
import type { Outside } from './outside/outside.ts';
import { createNoticeService } from './notices/notice-service.ts';
import { createNoticeConsole } from './notices/notice-console.ts';
import { createOwnWebhooks } from './notices/own-webhooks.ts';
import { createNotificationService } from './notifications/notification-service.ts';
import { createPageService } from './articles/pages/page-service.ts';
import { createPushService } from './push/push-service.ts';
import { createModerationService } from './moderation/moderation-service.ts';
import { createTextJudge } from './moderation/text-judge.ts';
import { createOutsideJudge } from './moderation/outside-judge.ts';
import { createChangeService } from './moderation/review/change-service.ts';
import { createInspectionService } from './moderation/review/inspection-service.ts';
import { createPreviewService } from './moderation/preview/preview-service.ts';
import { createReviewService } from './moderation/review/review-service.ts';
import { createTakedownService } from './moderation/takedown-service.ts';
import { createWordService } from './moderation/word-service.ts';
import { createFriendService } from './friends/friend-service.ts';
import { createSlugService } from './articles/slugs/slug-service.ts';
import { createFormerPathService } from './redirects/former-path-service.ts';
import { createQuotas } from './quotas/quota-service.ts';
import { createReadCounter } from './reads/read-counter.ts';
import type { App, Core, Services, Uses } from './services.ts';
import { createOperatorSettings, SETTINGS_KEY } from './settings/operator-settings.ts';
import { createSettingsConsole } from './settings/settings-console.ts';
import { createOptionService } from './settings/option-service.ts';
import { createAudit, createAuditLists } from './staff/audit.ts';
import { createBanService } from './staff/ban-service.ts';
import { createListService } from './staff/list-service.ts';
import { createOverviewService } from './staff/overview-service.ts';
import { createProfileService } from './staff/profile-service.ts';
import { createReportService } from './staff/report-service.ts';
import { createRoleService } from './staff/role-service.ts';
import { createWaitingService } from './staff/waiting-service.ts';
import { createTagConsole } from './tags/tag-console.ts';
import { createTagService } from './tags/tag-service.ts';
import { createMaintenance } from './wiring/maintenance.ts';
import { createOriginService } from './origins/origin-service.ts';
import { createOwnProfile } from './users/own-profile.ts';
import { createUserService } from './users/user-service.ts';
import { createExportService } from './export/export-service.ts';
import { exportInThread } from './export/export-thread.ts';
import { createReimport, type ReimportParts } from './operations/reimport.ts';
import { findUserById } from './users/user-queries.ts';

export type { App };

/**
 * Opens storage and wires all services.
 * @param ownOutside client for other sites; a test's may reach this machine
 * @param isBulk whether no reader waits for pages of this process (`RendererOptions`)
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function createApp(
  config: Config,
  now: () => number = Date.now,
  ownOutside?: Outside,
  { isBulk = false } = {},
): Promise<App> {
  const log = createLog(config.logLevel);
  const {
    db,
    search,
    uploads,
    fault,
    folders,
    pictures: places,
  } = await openStorage(config, log, now, { isBulk });
  const events = createEvents(db, (error) => log.error({ err: error }, 'event listener failed'));
  const audit = createAudit({ now });
  const core: Core = { db, events, audit, log, now, timeZone: config.siteTimeZone };
  const operatorSettings = await createOperatorSettings({
    ...core,
    ...config.operator,
    key: deriveKey(config.tokenSecret, SETTINGS_KEY),
  });
  places.follow(operatorSettings.current('uploads'));
  const sso = operatorSettings.current('sso');
  const outside = ownOutside ?? openOutside(config, sso);
  const drawer = createDrawer();
  const opened = await openSite(config, { ...core, drawer, search: operatorSettings.current('search'), sso });
  const { site, named } = opened;
  const pageCache = openPageCache(config, db, events);
  const renderer = createRenderer({ isBulk });
  const options = createOptionService(core);
  const words = createWordService(core);
  const texts = createTextJudge({ words });
  const users = createUserService({
    ...core,
    texts,
    countComments: (id) => countWritten(db.read, { id }),
    ownNames: async () => ({ title: named.title, reserved: (await options.read()).reserved_names }),
    mayThank: async () => (await options.read()).thanksPictures,
  });
  const notifications = createNotificationService(core);
  const notices = createNoticeService({
    ...core,
    notifications,
    outside,
    smtp: operatorSettings.current('mail'),
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
  const accountServices = openAccounts(config, { ...core, users, site: named, mailer: notices, sso });
  const { auth } = accountServices;
  const quotas = createQuotas({ ...core, limits: config.quotas });
  const tags = createTagService({ ...core, quotas, texts });
  const versions = createVersionService({ ...core, quotas });
  const pushes = createPushService({
    ...core,
    keys: operatorSettings.current('search'),
    origin: config.origin,
  });
  const outsideJudge = config.moderation && createOutsideJudge({ ...config.moderation, ...core });
  const moderation = createModerationService({ ...core, words, options, notices, outsideJudge });
  const revisions = createRevisionService({ ...core, quotas, versions, moderation });
  const humans = createHumanCheck({
    ...core,
    auth,
    options,
    moderation,
    secret: config.tokenSecret,
    origin: config.origin,
  });
  const applyVisibility = createApplyVisibility({ ...core, search, tags, outbox: pushes.outbox, notices });
  const setModeration = createSetModeration({ ...core, applyVisibility });
  const origins = createOriginService({ ...core, options });
  const writing = { ...core, quotas, moderation, origins, applyVisibility };
  const articles = createArticleService({ ...writing, renderer, search, tags, revisions, versions });
  const retag = createRetag({ ...core, tags, applyVisibility });
  const tagConsole = createTagConsole({ ...core, retag });
  const series = createSeriesService({ ...core, texts });
  const trash = createTrashService({ ...writing, texts });
  const schedules = createScheduleService({ ...writing, articles });
  const comments: CommentService = createCommentService({ ...writing, humans, notices, users });
  const room = createUploadRoom({
    ...core,
    limit: config.uploadsLimitBytes,
    isLow: async () =>
      'folder' in config.uploads &&
      places.isInFolder() &&
      isInReserve(config.uploads.folder, config.diskReserveBytes),
  });
  const files = createFileService({ ...core, users, uploads, quotas, room, outside });
  const formerPaths = createFormerPathService(core);
  const slugs = createSlugService({ ...core, options });
  const pictures = createPictureService({ ...core, articles, series, files, quotas, users });
  const indexAuthor = createIndexAuthor({ ...core, search });
  const ownWebhooks = createOwnWebhooks({ ...core, notices, outside });
  const takedowns = createTakedownService({ ...core, setModeration, articles, trash, comments, notices });
  const backups = openBackups(config, { ...core, settings: operatorSettings.current('backup'), places });
  const friends = createFriendService({
    ...core,
    ...accountServices,
    texts,
    humans,
    files,
    origins,
    outside,
  });
  const imports = createImportService({ ...core, articles, files, formerPaths, series, site, friends });
  const embedded = createEmbeddedService({ imports });
  const roles = createRoleService({ ...core, auth, texts, site, options });
  const made = {
    ...accountServices,
    users,
    articles,
    quotas,
    revisions,
    series,
    trash,
    schedules,
    versions,
    formerPaths,
    slugs,
    friends,
    imports,
    comments,
    tags,
    retag,
    tagConsole,
    files,
    pictures,
    embedded,
    site,
    pushes,
    words,
    moderation,
    takedowns,
    audit,
    roles,
    options,
    operatorSettings,
    origins,
    notices,
    notifications,
    ownWebhooks,
    humans,
    backups,
  };
  const others = { applyVisibility, indexAuthor, outside, renderer, room, setModeration, texts, uploads };
  const parts = { ...core, ...made, ...others };
  const og = openOg({ ...config, ...core, site, drawer });
  const entries = openSignups(config, parts);
  const services: Services = {
    ...made,
    ...entries,
    ...openExports(config, { ...parts, places }),
    closing: createClosingService({ ...parts, origin: config.origin }),
    ownProfile: createOwnProfile(parts),
    archive: createArchiveService(core),
    looks: createLookService(core),
    feeds: createFeedService({ ...parts, origin: config.origin }),
    pages: createPageService(parts),
    picks: createPickService(core),
    related: createRelatedService(core),
    sitemaps: createSitemapService(core),
    siteImports: createSiteImportService(parts),
    sync: createSyncService(parts),
    activities: createActivityService(parts),
    settings: createSettingsService(parts),
    og,
    reviews: createReviewService(parts),
    previews: createPreviewService(parts),
    inspections: createInspectionService(parts),
    changes: createChangeService(parts),
    overview: createOverviewService(parts),
    waiting: createWaitingService(parts),
    bans: createBanService(parts),
    reports: createReportService({ ...parts, site: named, guard: accountServices.guard }),
    profiles: createProfileService(parts),
    staffLists: createListService(parts),
    auditLists: createAuditLists(core),
    noticeConsole: createNoticeConsole(parts),
    backupConsole: createBackupConsole(parts),
    settingsConsole: createSettingsConsole({ ...parts, ...entries, places }),
    overdue: createOverdue(core),
  };
  const limiter = createRequestLimiter({ enabled: config.limitsRates });
  const api = createRoutes({
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
  const reads = createReadCounter({ ...core, trustedHops: config.trustedHops });
  const publisher = createPublisher({ ...core, schedules });
  const state = { config, writeFault: fault, folders, db, log, now };
  const maintenance = createMaintenance(services, state);
  const running = [
    publisher,
    services.backups,
    pushes,
    notices.outbox,
    services.related,
    retag,
    slugs,
    friends,
    maintenance,
    reads,
  ];
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
      api: async (request, from) => api.fetch(request, from),
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
      const threads = [search, renderer, services.sync, embedded, services.feeds, files, drawer];
      for (const each of threads) await each.close();
      await db.close();
      uploads.close();
    },
  };
}

function openExports(
  config: Config,
  { places, ...parts }: Uses<'auth'> & ReimportParts & { places: CurrentUploads },
) {
  const { dataDir, databaseUrl, siteTimeZone, limitsRates, diskReserveBytes } = config;
  const exports = createExportService({
    ...parts,
    findById: (id) => findUserById(parts.db.read, id),
    isLimited: limitsRates,
    requireReserve: () => requireReserve(dataDir, diskReserveBytes),
    async run(authorId, onEnd) {
      const site = { dataDir, databaseUrl, uploads: await places.place(), siteTimeZone };
      return exportInThread({ site, authorId }, onEnd);
    },
  });
  return { exports, reimport: createReimport(parts) };
}
