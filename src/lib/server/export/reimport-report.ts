import type { Manifest } from './format.ts';

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

export interface ReimportReport {
  manifest: Manifest;
  /** Numbers of items imported, already present, and left out. */
  counts: Record<ReimportKind, { created: number; same: number; left: number }>;
  /** `why` is a Chinese sentence without a full stop. */
  losses: { what: string; why: string }[];
  withoutPassword: string[];
  wasStopped: boolean;
}

export interface ReimportOptions {
  isDryRun: boolean;
  withAccounts: boolean;
  /** Name of the account that receives an author's export; null means the original author. */
  author: string | null;
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Imports an export from `path`, a folder or a zip (reimport.ts). @throws ExportError */
export type Reimport = (path: string, options: ReimportOptions) => Promise<ReimportReport>;
