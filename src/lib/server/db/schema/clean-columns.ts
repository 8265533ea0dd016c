import type { ColumnType } from 'kysely';
import type { CleanText } from '../../shared/clean-text.ts';

/** Text that readers see: compared with any string, and stored only if moderation has checked it. */
export type CleanColumn = ColumnType<string, CleanText, CleanText>;
export type OptionalCleanColumn = ColumnType<string, CleanText | undefined, CleanText>;
