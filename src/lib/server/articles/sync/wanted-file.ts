import type { ArticleSource } from '../../../contract/entities.ts';

/** Preconditions of a write, from If-Match and If-None-Match: versions (`etag`), or `*`. */
export interface Conditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
}

export interface Wanted extends Conditions {
  path: string;
  bytes: Uint8Array;
  /** Whether the file is a note of an Obsidian vault. */
  isVault: boolean;
  /** Whether to accept pictures that were not uploaded. */
  keepsMissing: boolean;
  /** State of a new article of a file without front matter; `draft` changes no published article. */
  plain: 'publish' | 'draft' | null;
  /** Whether to tell what would be written, without writing. */
  isDryRun: boolean;
  saved_by: string;
}

export type Stated = Pick<ArticleSource, 'status' | 'secret'>;
/** Readers of a stored article; `pending`: only its author, until staff approves it. */
export type Visibility = 'public' | 'secret' | 'draft' | 'pending';

/** Returns the visibility that the fields of an article state. */
export const stateOf = ({ status, secret }: Stated): 'public' | 'secret' | 'draft' =>
  status === 'draft' ? 'draft' : secret ? 'secret' : 'public';
