import type { AuthService } from '../auth/auth-service.ts';
import type { SafetyService } from '../auth/safety/safety-service.ts';
import type { Backups } from '../backup/backup-service.ts';
import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import type { TextJudge } from '../moderation/text-judge.ts';
import type { TakedownService } from '../moderation/takedown-service.ts';
import type { UploadRoom } from '../files/upload-room.ts';
import type { Quotas } from '../quotas/quota-service.ts';
import type { Notifier } from '../notices/notice-service.ts';
import type { OptionService } from '../settings/option-service.ts';
import { createAuditLists } from './audit-lists.ts';
import type { Audit } from './audit.ts';
import { createBanService } from './ban-service.ts';
import { createListService } from './list-service.ts';
import { createOverviewService } from './overview-service.ts';
import { createProfileService } from './profile-service.ts';
import { createReportService } from './report-service.ts';
import { createRoleService } from './role-service.ts';
import { createWaitingService } from './waiting-service.ts';

type Parts = Parameters<typeof createProfileService>[0] & {
  db: Database;
  events: Events;
  safety: SafetyService;
  texts: TextJudge;
  backups: Pick<Backups, 'last' | 'everyMs' | 'place'>;
  timeZone: string;
  auth: AuthService;
  audit: Audit;
  options: OptionService;
  takedowns: TakedownService;
  notices: Notifier;
  quotas: Quotas;
  room: UploadRoom;
  now: () => number;
};

export function createStaff(parts: Parts) {
  return {
    roles: createRoleService(parts),
    overview: createOverviewService(parts),
    waiting: createWaitingService(parts),
    bans: createBanService(parts),
    reports: createReportService(parts),
    profiles: createProfileService(parts),
    staffLists: createListService(parts),
    auditLists: createAuditLists(parts),
  };
}
