import type { ActivityService } from './activity/activity-service.ts';
import type { Backend } from '../blog/backend.ts';
import type { ArchiveService } from './articles/discovery/archive-service.ts';
import type { ArticleService } from './articles/core/article-service.ts';
import type { ImportService } from './articles/import/import-service.ts';
import type { EmbeddedService } from './articles/pictures/embedded-service.ts';
import type { PictureService } from './articles/pictures/picture-service.ts';
import type { RevisionService } from './articles/history/revision-service.ts';
import type { Retag } from './articles/core/retag.ts';
import type { SeriesService } from './articles/series/series-service.ts';
import type { ScheduleService } from './articles/history/schedule-service.ts';
import type { FeedService } from './articles/discovery/feed-service.ts';
import type { SiteImportService } from './articles/import/site-import-service.ts';
import type { SitemapService } from './articles/discovery/sitemap-service.ts';
import type { SyncService } from './articles/sync/sync-service.ts';
import type { SettingsService } from './articles/core/settings-service.ts';
import type { TrashService } from './articles/history/trash-service.ts';
import type { AccessTokens } from './auth/access/access-tokens.ts';
import type { Accounts } from './auth/account-services.ts';
import type { VersionService } from './articles/history/version-service.ts';
import type { AuthService } from './auth/auth-service.ts';
import type { HumanCheck } from './auth/guard/human-check.ts';
import type { Passkeys } from './auth/safety/passkeys.ts';
import type { Recovery } from './auth/safety/recovery.ts';
import type { SafetyService } from './auth/safety/safety-service.ts';
import type { BackupConsole } from './backup/backup-console.ts';
import type { Backups } from './backup/backup-service.ts';
import type { PageCache } from './cache/page-cache.ts';
import type { RenderedAnswer, Renders } from './cache/renders.ts';
import type { ClosingService } from './closing/closing-service.ts';
import type { CommentService } from './comments/comment-service.ts';
import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { Events } from './db/events.ts';
import type { Disk } from './disk/disk.ts';
import type { Overdue } from './doctor/overdue.ts';
import type { ExportService } from './export/export-service.ts';
import type { Reimport } from './export/reimport-report.ts';
import type { FileService } from './files/file-service.ts';
import type { Log } from './shared/log.ts';
import type { InvitationService } from './signup/invitation-service.ts';
import type { SignupService } from './signup/signup-service.ts';
import type { NotificationService } from './notifications/notification-service.ts';
import type { NoticeConsole } from './notices/notice-console.ts';
import type { OwnWebhooks } from './notices/own-webhooks.ts';
import type { NoticeService } from './notices/notice-service.ts';
import type { PageService } from './articles/pages/page-service.ts';
import type { PushService } from './push/push-service.ts';
import type { Quotas } from './quotas/quota-service.ts';
import type { FriendService } from './friends/friend-service.ts';
import type { SlugService } from './articles/slugs/slug-service.ts';
import type { FormerPathService } from './redirects/former-path-service.ts';
import type { OgService } from './og/og-service.ts';
import type { PickService } from './articles/discovery/pick-service.ts';
import type { ReadCounter } from './reads/read-counter.ts';
import type { RelatedService } from './articles/discovery/related-service.ts';
import type { LookService } from './site/look-service.ts';
import type { SiteService } from './site/site-service.ts';
import type { OperatorSettings } from './settings/operator-settings.ts';
import type { SettingsConsole } from './settings/settings-console.ts';
import type { OptionService } from './settings/option-service.ts';
import type { ModerationService } from './moderation/moderation-service.ts';
import type { ChangeService } from './moderation/review/change-service.ts';
import type { InspectionService } from './moderation/review/inspection-service.ts';
import type { ReviewService } from './moderation/review/review-service.ts';
import type { TakedownService } from './moderation/takedown-service.ts';
import type { PreviewService } from './moderation/preview/preview-service.ts';
import type { WordService } from './moderation/word-service.ts';
import type { IdentityService } from './sso/identity-service.ts';
import type { SsoService } from './sso/sso-service.ts';
import type { AuditLists, Audit } from './staff/audit.ts';
import type { BanService } from './staff/ban-service.ts';
import type { ListService } from './staff/list-service.ts';
import type { OverviewService } from './staff/overview-service.ts';
import type { ProfileService } from './staff/profile-service.ts';
import type { ReportService } from './staff/report-service.ts';
import type { RoleService } from './staff/role-service.ts';
import type { WaitingService } from './staff/waiting-service.ts';
import type { TagConsole } from './tags/tag-console.ts';
import type { TagService } from './tags/tag-service.ts';
import type { OriginService } from './origins/origin-service.ts';
import type { OwnProfile } from './users/own-profile.ts';
import type { ApplyVisibility, IndexAuthor, SetModeration } from './articles/core/apply-visibility.ts';
import type { Renderer } from './articles/rendering/renderer.ts';
import type { Guard } from './auth/guard/guard.ts';
import type { NotifyChange } from './auth/safety/change-mails.ts';
import type { UploadRoom } from './files/upload-room.ts';
import type { Uploads } from './files/uploads.ts';
import type { OutsideJudge } from './moderation/outside-judge.ts';
import type { TextJudge } from './moderation/text-judge.ts';
import type { Outside } from './outside/outside.ts';
import type { SearchIndex } from './search/search.ts';
import type { UserService } from './users/user-service.ts';

/** What services are made with. */
export interface Core {
  db: Database;
  events: Events;
  audit: Audit;
  log: Log;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** The zone of the site's calendar. */
  timeZone: string;
}

/** Everything that a service can use. */
export interface AppParts extends Core, Services {
  applyVisibility: ApplyVisibility;
  guard: Guard;
  indexAuthor: IndexAuthor;
  notifyChange: NotifyChange;
  outside: Outside;
  /** Null without MODERATION_URL. */
  outsideJudge: OutsideJudge | null;
  renderer: Renderer;
  room: UploadRoom;
  search: SearchIndex;
  setModeration: SetModeration;
  texts: TextJudge;
  uploads: Uploads;
}

/** Arguments of a function that creates a service: the core, and the named parts. */
export type Uses<Name extends keyof AppParts> = Core & Pick<AppParts, Name>;

export interface Services {
  auth: AuthService;
  accounts: Accounts;
  safety: SafetyService;
  passkeys: Passkeys;
  accessTokens: AccessTokens;
  recovery: Recovery;
  sso: SsoService;
  identities: IdentityService;
  closing: ClosingService;
  users: UserService;
  ownProfile: OwnProfile;
  articles: ArticleService;
  archive: ArchiveService;
  related: RelatedService;
  pages: PageService;
  picks: PickService;
  revisions: RevisionService;
  series: SeriesService;
  trash: TrashService;
  versions: VersionService;
  schedules: ScheduleService;
  imports: ImportService;
  siteImports: SiteImportService;
  sync: SyncService;
  quotas: Quotas;
  formerPaths: FormerPathService;
  slugs: SlugService;
  friends: FriendService;
  comments: CommentService;
  activities: ActivityService;
  tags: TagService;
  retag: Retag;
  tagConsole: TagConsole;
  files: FileService;
  pictures: PictureService;
  embedded: EmbeddedService;
  settings: SettingsService;
  looks: LookService;
  site: SiteService;
  og: OgService;
  feeds: FeedService;
  sitemaps: SitemapService;
  pushes: PushService;
  words: WordService;
  previews: PreviewService;
  moderation: ModerationService;
  takedowns: TakedownService;
  reviews: ReviewService;
  inspections: InspectionService;
  changes: ChangeService;
  audit: Audit;
  roles: RoleService;
  overview: OverviewService;
  waiting: WaitingService;
  bans: BanService;
  reports: ReportService;
  profiles: ProfileService;
  staffLists: ListService;
  auditLists: AuditLists;
  options: OptionService;
  operatorSettings: OperatorSettings;
  settingsConsole: SettingsConsole;
  origins: OriginService;
  notices: NoticeService;
  notifications: NotificationService;
  noticeConsole: NoticeConsole;
  ownWebhooks: OwnWebhooks;
  invitations: InvitationService;
  signups: SignupService;
  humans: HumanCheck;
  backups: Backups;
  backupConsole: BackupConsole;
  overdue: Overdue;
  exports: ExportService;
  reimport: Reimport;
}

export interface App {
  readonly config: Config;
  readonly db: Database;
  /** Returns why writes fail, or null. */
  readonly writeFault: Disk['fault'];
  /** Folders of the site on the disk of this machine. */
  readonly folders: readonly string[];
  readonly services: Services;
  readonly events: Events;
  readonly log: Log;
  /** Cached pages, evicted when a write changes their content; null when the cache is off. */
  readonly pageCache: PageCache<RenderedAnswer> | null;
  readonly reads: ReadCounter;
  readonly renders: Renders;
  readonly backend: Backend;
  /** Starts listening for writes of other processes; required for caching where writes are announced. */
  startListening(): Promise<void>;
  /** Starts the background jobs: scheduled publication; cleanup of expired, outdated and orphaned data. */
  startJobs(): void;
  close(): Promise<void>;
}
