import type { Backend } from '../blog/backend.ts';
import type { ArchiveService } from './articles/archive-service.ts';
import type { ArticleService } from './articles/article-service.ts';
import type { ImportService } from './articles/import-service.ts';
import type { PictureService } from './articles/picture-service.ts';
import type { RevisionService } from './articles/revision-service.ts';
import type { Retag } from './articles/retag.ts';
import type { SeriesService } from './articles/series-service.ts';
import type { ScheduleService } from './articles/schedule-service.ts';
import type { FeedService } from './articles/feed-service.ts';
import type { SiteImportService } from './articles/site-import-service.ts';
import type { SitemapService } from './articles/sitemap-service.ts';
import type { SettingsService } from './articles/settings-service.ts';
import type { TrashService } from './articles/trash-service.ts';
import type { Accounts } from './auth/accounts.ts';
import type { VersionService } from './articles/version-service.ts';
import type { AuthService } from './auth/auth-service.ts';
import type { HumanCheck } from './auth/human-check.ts';
import type { Passkeys } from './auth/passkeys.ts';
import type { Recovery } from './auth/recovery.ts';
import type { SafetyService } from './auth/safety-service.ts';
import type { Backups } from './backup/backup-service.ts';
import type { PageCache } from './cache/page-cache.ts';
import type { PlainAnswer, Renders } from './cache/renders.ts';
import type { ClosingService } from './closing/closing-service.ts';
import type { CommentService } from './comments/comment-service.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Events } from './db/events.ts';
import type { Disk } from './disk/disk.ts';
import type { Overdue } from './doctor/overdue.ts';
import type { ExportService } from './export/export-service.ts';
import type { Reimport } from './export/reimport-report.ts';
import type { FileService } from './files/file-service.ts';
import type { Log } from './log.ts';
import type { InvitationService } from './signup/invitation-service.ts';
import type { SignupService } from './signup/signup-service.ts';
import type { NoticeConsole } from './notices/notice-console.ts';
import type { NoticeService } from './notices/notice-service.ts';
import type { PushService } from './push/push-service.ts';
import type { FormerPathService } from './redirects/former-path-service.ts';
import type { OgService } from './og/og-service.ts';
import type { PickService } from './articles/pick-service.ts';
import type { ReadCounter } from './reads/read-counter.ts';
import type { RelatedService } from './articles/related-service.ts';
import type { SiteService } from './site/site-service.ts';
import type { OptionService } from './settings/option-service.ts';
import type { ModerationService } from './moderation/moderation-service.ts';
import type { TakedownService } from './moderation/takedown-service.ts';
import type { WordService } from './moderation/word-service.ts';
import type { AuditLists } from './staff/audit-lists.ts';
import type { Audit } from './staff/audit.ts';
import type { BanService } from './staff/ban-service.ts';
import type { ListService } from './staff/list-service.ts';
import type { OverviewService } from './staff/overview-service.ts';
import type { ProfileService } from './staff/profile-service.ts';
import type { ReportService } from './staff/report-service.ts';
import type { RoleService } from './staff/role-service.ts';
import type { WaitingService } from './staff/waiting-service.ts';
import type { TagConsole } from './tags/tag-console.ts';
import type { TagService } from './tags/tag-service.ts';
import type { UserService } from './users/user-service.ts';

/** The features, as routes, pages and the command line use them. */
export interface Services {
  auth: AuthService;
  accounts: Accounts;
  safety: SafetyService;
  passkeys: Passkeys;
  recovery: Recovery;
  closing: ClosingService;
  users: UserService;
  articles: ArticleService;
  archive: ArchiveService;
  related: RelatedService;
  picks: PickService;
  revisions: RevisionService;
  series: SeriesService;
  trash: TrashService;
  versions: VersionService;
  schedules: ScheduleService;
  imports: ImportService;
  siteImports: SiteImportService;
  formerPaths: FormerPathService;
  comments: CommentService;
  tags: TagService;
  retag: Retag;
  tagConsole: TagConsole;
  files: FileService;
  pictures: PictureService;
  settings: SettingsService;
  site: SiteService;
  og: OgService;
  feeds: FeedService;
  sitemaps: SitemapService;
  pushes: PushService;
  words: WordService;
  moderation: ModerationService;
  takedowns: TakedownService;
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
  notices: NoticeService;
  noticeConsole: NoticeConsole;
  invitations: InvitationService;
  signups: SignupService;
  humans: HumanCheck;
  backups: Backups;
  overdue: Overdue;
  exports: ExportService;
  /** Brings back what an export holds. */
  reimport: Reimport;
}

export interface App {
  readonly config: Config;
  readonly db: Database;
  /** Whether there is no room left for what is written. */
  readonly writeFault: Disk['fault'];
  readonly services: Services;
  readonly events: Events;
  readonly log: Log;
  /** Rendered pages, dropped as soon as a write changes what they show; null when it is switched off. */
  readonly pageCache: PageCache<PlainAnswer> | null;
  /** Counts how often articles are read. */
  readonly reads: ReadCounter;
  /** Gives pages that have to be rendered their turns. */
  readonly renders: Renders;
  /** What the request pipeline in src/fetch.ts asks. */
  readonly backend: Backend;
  /** Hears from now on what others write; without it no page is kept where writes are announced. */
  startListening(): Promise<void>;
  /** Publishes at set times from now on, and does upkeep: what expires, older renderings, orphaned files. */
  startUpkeep(): void;
  /** Waits for writes under way and closes everything. */
  close(): Promise<void>;
}
