import type { Manifest } from './format.ts';

/** What was brought back, was there already, or was left out. */
export interface Tally {
  created: number;
  same: number;
  left: number;
}
/** What is counted. */
export const REIMPORT_KINDS = [
  'users',
  'pictures',
  'tags',
  'series',
  'articles',
  'versions',
  'comments',
] as const;
export type ReimportKind = (typeof REIMPORT_KINDS)[number];

/** Something that was not brought back. */
export interface ReimportLoss {
  /** What it is: a path, or a name. */
  what: string;
  /** A Chinese sentence without a full stop. */
  why: string;
}

export interface ReimportReport {
  manifest: Manifest;
  counts: Record<ReimportKind, Tally>;
  losses: ReimportLoss[];
  /** Names of accounts that were made without a password. */
  withoutPassword: string[];
  wasStopped: boolean;
}

export interface ReimportOptions {
  isDryRun: boolean;
  /** Whether passwords, roles, bans and addresses of the export are taken. */
  withAccounts: boolean;
  /** Name of the account that an author's export goes to; null: the author's of then. */
  author: string | null;
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Brings back what an export at `path`, a folder or a zip, holds (reimport.ts). @throws ExportError */
export type Reimport = (path: string, options: ReimportOptions) => Promise<ReimportReport>;
