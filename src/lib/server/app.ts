import { join, sep } from 'node:path';
import { createLocalBlog } from '../blog/local.ts';
import { createApi } from './api/api.ts';
import { createArchiveService } from './articles/archive-service.ts';
import { createArticleService } from './articles/article-service.ts';
import { createFeedService } from './articles/feed-service.ts';
import { createImportService } from './articles/import-service.ts';
import { createPictureService } from './articles/picture-service.ts';
import { findFormerPictureUses } from './articles/usage-queries.ts';
import { createRenderer } from './articles/renderer.ts';
import { createRevisionService } from './articles/revision-service.ts';
import { createSeriesService } from './articles/series-service.ts';
import { createPublisher } from './articles/publisher.ts';
import { createScheduleService } from './articles/schedule-service.ts';
import { createSitemapService } from './articles/sitemap-service.ts';
import { createSettingsService } from './articles/settings-service.ts';
import { createTrashService } from './articles/trash-service.ts';
import { createVersionService } from './articles/version-service.ts';
import { createAccountServices } from './auth/account-services.ts';
import { createRequestLimiter } from './auth/guard.ts';
import { changedTags } from './cache/changes.ts';
import { createPurger } from './cache/purger.ts';
import { createPageCache, type PageCache } from './cache/page-cache.ts';
import { createRenders, type PlainAnswer } from './cache/renders.ts';
import { createClosingService } from './closing/closing-service.ts';
import { countWritten } from './comments/comment-queries.ts';
import { createCommentService } from './comments/comment-service.ts';
import { ConfigError, SECRET_FILE, type Config } from './config.ts';
import { closeDataFolder, refuseEmptiedDatabase } from './data-folder.ts';
import type { Database } from './db/database.ts';
import { unfinishedMove } from './db/move-rows.ts';
import { openPostgres } from './db/postgres.ts';
import { openSqlite } from './db/sqlite.ts';
import { createEvents, type Events } from './db/events.ts';
import { createDisk, type Disk } from './disk/disk.ts';
import { createFileService } from './files/file-service.ts';
import { createFolder, holdsUploads } from './files/folder.ts';
import { createS3 } from './files/s3.ts';
import type { Uploads } from './files/uploads.ts';
import { createLog, type Log } from './log.ts';
import { openOg } from './og/og-service.ts';
import { createOutside, type Outside } from './outside/outside.ts';
import { createPushService } from './push/push-service.ts';
import { createPickService } from './articles/pick-service.ts';
import { createQuotas } from './quotas/quota-service.ts';
import { createReadCounter } from './reads/read-counter.ts';
import { createRelatedService } from './articles/related-service.ts';
import { createPostgresSearch } from './search/postgres-search.ts';
import { rebuildIfNeeded } from './search/rebuild.ts';
import type { SearchIndex } from './search/search.ts';
import { createSqliteSearch } from './search/sqlite-search.ts';
import type { App, Services } from './services.ts';
import { StorageUnusableError } from './storage.ts';
import { createSiteService, type SiteService } from './site/site-service.ts';
import { createOptionService } from './settings/option-service.ts';
import { createAudit } from './staff/audit.ts';
import { createOverviewService } from './staff/overview-service.ts';
import { createRoleService } from './staff/role-service.ts';
import { createTagService } from './tags/tag-service.ts';
import { createUpkeep } from './upkeep.ts';
import { fillSkeletons } from './users/user-queries.ts';
import { createUserService } from './users/user-service.ts';

export type { App };

const DATABASE_FILE = 'moye.sqlite';
/** SQLite's log and the index of it beside the database. */
const DATABASE_FILES = ['', '-wal', '-shm'].map((ending) => DATABASE_FILE + ending);

/**
 * Opens storage and wires every part.
 * @param outside how other sites are asked; a test's may reach this machine
 * @throws StorageUnusableError, NewerDatabaseError
 */
export async function createApp(
  config: Config,
  now: () => number = Date.now,
  outside: Outside = createOutside(),
): Promise<App> {
  const log = createLog(config.logLevel);
  const site = await openSite(config);
  const { db, search, uploads, isFull } = await openStorage(config, log, now);
  const events = createEvents(db, (error) => log.error({ err: error }, 'event listener failed'));
  const pageCache = openPageCache(config, db, events);
  const renderer = createRenderer();

  const users = createUserService({ db, events, now, countComments: (id) => countWritten(db.read, { id }) });
  const accountServices = createAccountServices({
    ...config,
    db,
    users,
    events,
    secret: config.tokenSecret,
    accessTtl: config.accessTokenTtl,
    refreshTtl: config.refreshTokenTtl,
    site: { origin: config.origin, title: site.facts.title },
    mailer: { hasMail: false, queueMail: async () => {} },
    failed: (error) => log.error({ err: error }, 'mail of a new password failed'),
    now,
  });
  const { auth } = accountServices;
  const audit = createAudit({ now });
  const options = createOptionService({ db, events, audit });
  const quotas = createQuotas({ db, limits: config.quotas, timeZone: config.siteTimeZone, now });
  const tags = createTagService({ db, events, quotas, now });
  const versions = createVersionService({ db, quotas, now });
  const revisions = createRevisionService({ db, quotas, versions, now });
  const pushes = createPushService({ db, keys: config.pushKeys, origin: config.origin, log, now });
  const { outbox } = pushes;
  const articles = createArticleService({
    db,
    renderer,
    search,
    tags,
    revisions,
    versions,
    quotas,
    outbox,
    events,
    now,
  });
  const series = createSeriesService({ db, events, now });
  const trash = createTrashService({ db, search, tags, quotas, outbox, events, now });
  const schedules = createScheduleService({ db, articles, events, now });
  const comments = createCommentService({ db, events, quotas, now, findUser: (name) => users.find(name) });
  const files = createFileService({ db, users, uploads, quotas, outside, log, now });
  const imports = createImportService({ db, articles, files });
  const pictures = createPictureService({ db, articles, series, files, quotas });
  const written = { articles, revisions, trash, comments, series, pictures };
  const closing = createClosingService({ db, events, search, users, ...written, ...accountServices });
  const og = openOg({ db, site: site.facts, dataDir: config.dataDir, log });
  const related = createRelatedService({ db, events, log });
  const calendar = { db, timeZone: config.siteTimeZone };
  const services: Services = {
    ...accountServices,
    closing,
    users,
    articles,
    archive: createArchiveService(calendar),
    related,
    picks: createPickService({ ...calendar, events, now }),
    revisions,
    series,
    trash,
    schedules,
    versions,
    imports,
    comments,
    tags,
    files,
    pictures,
    settings: createSettingsService({ articles }),
    site,
    og,
    feeds: createFeedService({ db, tags, users, series, origin: config.origin }),
    sitemaps: createSitemapService({ db }),
    pushes,
    audit,
    roles: createRoleService({ db, auth, audit, now }),
    overview: createOverviewService({ db, now }),
    options,
  };

  const limiter = createRequestLimiter({ enabled: config.limitsRates });
  const api = createApi({
    services,
    pageCache,
    log,
    limiter,
    origins: config.corsOrigins,
    isSecure: config.origin.startsWith('https:'),
  });
  const purger = config.purge && createPurger({ ...config.purge, log });
  // Each process tells of its own writes.
  if (purger) events.listen((event, isOwn) => isOwn && purger.tell(changedTags(event)));
  const reads = createReadCounter({ db, timeZone: config.siteTimeZone, log, now });
  const publisher = createPublisher({ schedules, events, log, now });
  const upkeep = createUpkeep({ ...services, quotas }, db, log);
  return {
    config,
    db,
    isDiskFull: isFull,
    services,
    events,
    log,
    pageCache,
    reads,
    renders: createRenders(limiter),
    backend: {
      site: {
        ...site.facts,
        origin: config.origin,
        timeZone: config.siteTimeZone,
        pictureHosts: config.pictureHosts,
        indexNowKey: config.pushKeys.indexnow ?? undefined,
      },
      api,
      viewerOf: async (token) => (await auth.viewerOf(token)).viewer,
      blogFor: (viewer) => createLocalBlog(services, viewer),
    },
    async startListening() {
      await db.notices?.listen({ heard: events.hear, missed: () => events.hear({ type: 'anything' }) });
    },
    startUpkeep() {
      publisher.start();
      upkeep.start();
      reads.start();
      related.start();
      pushes.start();
    },
    async close() {
      await publisher.stop();
      await accountServices.recovery.settled();
      await pushes.stop();
      await related.stop();
      await upkeep.stop();
      await reads.stop();
      await purger?.close();
      await search.close();
      await renderer.close();
      await files.close();
      await og.close();
      await db.close();
      uploads.close();
    },
  };
}

/** @throws ConfigError where the logo cannot be drawn */
async function openSite({ site }: Config): Promise<SiteService> {
  try {
    return await createSiteService(site);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

async function openStorage(
  config: Config,
  log: Log,
  now: () => number,
): Promise<Disk & { search: SearchIndex }> {
  const { databaseUrl, databasePool, dataDir } = config;
  const file = join(dataDir, DATABASE_FILE);
  const folder = 'folder' in config.uploads ? config.uploads.folder : null;
  const ownFolder = folder?.startsWith(dataDir + sep) ? folder.slice(dataDir.length + 1) : null;
  closeDataFolder(dataDir, [...DATABASE_FILES, SECRET_FILE, ...(ownFolder === null ? [] : [ownFolder])], log);
  if (databaseUrl === null)
    refuseEmptiedDatabase(file, () => (folder && holdsUploads(folder) ? folder : null));
  const opened = await (databaseUrl === null
    ? openSqlite(file)
    : openPostgres(databaseUrl, { connections: databasePool, log }));
  await refuseUnfinishedMove(opened);
  const folders = [...(databaseUrl === null ? [dataDir] : []), ...(folder === null ? [] : [folder])];
  const disk = createDisk({
    db: opened,
    uploads: openUploads(config, ownFolder !== null),
    folders,
    log,
    now,
  });
  const { db } = disk;
  await rebuildIfNeeded(db);
  await findFormerPictureUses(db);
  await fillSkeletons(db);
  return { ...disk, search: databaseUrl === null ? createSqliteSearch(db, file) : createPostgresSearch(db) };
}

const openUploads = ({ uploads }: Config, isPrivate: boolean): Uploads =>
  's3' in uploads ? createS3(uploads.s3) : createFolder(uploads.folder, { isPrivate });

/** A database that `moye move` has not filled yet is not to be served, nor to be changed by anybody else. */
async function refuseUnfinishedMove(db: Database): Promise<void> {
  const source = await unfinishedMove(db.read);
  if (source === null) return;
  await db.close();
  throw new StorageUnusableError(
    `a move into this database from ${source} is not done: run \`moye move\` again`,
  );
}

function openPageCache(config: Config, db: Database, events: Events): PageCache<PlainAnswer> | null {
  if (config.pageCacheBytes === 0) return null;
  const { foreignVersion, isReachable, notices } = db;
  const cache = createPageCache<PlainAnswer>({
    maxBytes: config.pageCacheBytes,
    foreignVersion,
    isCurrent: notices?.isCurrent,
    catchUp: notices?.catchUp,
    isReachable,
  });
  // Events come after the commit and before the call answers: whoever wrote reads their own write.
  events.listen((event) => cache.invalidate(changedTags(event)));
  return cache;
}
