import type { AppParts } from '../services.ts';
import type { Mailer, SiteOrigin } from './safety/change-mails.ts';

/** What the account services are made with. Lifetimes are in seconds. */
export interface AccountParts extends Pick<AppParts, 'db' | 'events' | 'now' | 'timeZone' | 'users'> {
  limitsRates: boolean;
  secret: Uint8Array | string;
  accessTtl: number;
  refreshTtl: number;
  site: SiteOrigin;
  mailer: Mailer;
  /** Receives errors of background work. */
  failed(error: unknown): void;
  /** Whether only identity providers sign users in (SSO_ONLY). */
  isSsoOnly?(): Promise<boolean>;
}
