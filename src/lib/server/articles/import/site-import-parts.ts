import type { CommentService } from '../../comments/comment-service.ts';
import type { Database } from '../../db/database.ts';
import type { FileService } from '../../files/file-service.ts';
import type { TagService } from '../../tags/tag-service.ts';
import type { UserService } from '../../users/user-service.ts';
import type { ImportService } from './import-service.ts';
import type { SeriesService } from '../series/series-service.ts';

export interface SiteImportParts {
  db: Database;
  users: Pick<UserService, 'find' | 'import' | 'foreseeName'>;
  tags: Pick<TagService, 'import' | 'isListed'>;
  series: Pick<SeriesService, 'import'>;
  imports: ImportService;
  comments: Pick<CommentService, 'import' | 'findQuoted'>;
  files: Pick<FileService, 'storeAvatar'>;
  now: () => number;
}

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
