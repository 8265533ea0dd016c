import type { CommentService } from '../comments/comment-service.ts';
import type { Database } from '../db/database.ts';
import type { FileService } from '../files/file-service.ts';
import type { TagService } from '../tags/tag-service.ts';
import type { UserService } from '../users/user-service.ts';
import type { ImportService } from './import-service.ts';
import type { SeriesService } from './series-service.ts';

/** What an import of a site works with. */
export interface SiteImportParts {
  db: Database;
  users: Pick<UserService, 'find' | 'bring' | 'foreseeName'>;
  tags: Pick<TagService, 'bring' | 'isListed'>;
  series: Pick<SeriesService, 'bring'>;
  imports: ImportService;
  comments: Pick<CommentService, 'bring' | 'findQuoted'>;
  files: Pick<FileService, 'bringAvatar'>;
  /** Names that accounts of other sites cannot have, beside those that are kept anyway. */
  reservedNames(): Promise<readonly string[]>;
  now: () => number;
}

/** An account that stands for one of the other site. */
export interface Person {
  id: string;
  username: string;
  /** It was made for its user, whose avatar it has not got. */
  lacksAvatar?: boolean;
}

/** Which site is brought in. `isDryRun`: nothing is written, everything is answered as if it were. */
export interface SiteRun {
  /** Begins what `imports` remembers of the site. */
  prefix: string;
  isDryRun: boolean;
}
