import type { AuthService } from '../auth/auth-service.ts';
import type { Database } from '../db/database.ts';
import type { TakedownService } from '../moderation/takedown-service.ts';
import type { Quotas } from '../quotas/quota-service.ts';
import type { Teller } from '../notices/notice-service.ts';
import type { OptionService } from '../settings/option-service.ts';
import { createAuditLists } from './audit-lists.ts';
import type { Audit } from './audit.ts';
import { createBanService } from './ban-service.ts';
import { createListService } from './list-service.ts';
import { createOverviewService } from './overview-service.ts';
import { createReportService } from './report-service.ts';
import { createRoleService } from './role-service.ts';

interface Parts {
  db: Database;
  auth: AuthService;
  audit: Audit;
  options: OptionService;
  takedowns: TakedownService;
  notices: Teller;
  quotas: Quotas;
  now: () => number;
}

/** What staff can do, wired. */
export function createStaff(parts: Parts) {
  return {
    roles: createRoleService(parts),
    overview: createOverviewService(parts),
    bans: createBanService(parts),
    reports: createReportService(parts),
    staffLists: createListService(parts),
    auditLists: createAuditLists(parts),
  };
}
