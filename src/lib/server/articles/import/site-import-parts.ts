import type { Uses } from '../../services.ts';

export type SiteImportParts = Uses<'users' | 'tags' | 'series' | 'imports' | 'comments' | 'files'>;

/** A local account that represents one of the other site. */
export interface Person {
  id: string;
  username: string;
  /** The import created the account, and its avatar is still missing. */
  lacksAvatar?: boolean;
}

/** A run for one site. `isDryRun`: nothing is written, but every result is as in a real run. */
export interface SiteRun {
  prefix: string;
  isDryRun: boolean;
}
