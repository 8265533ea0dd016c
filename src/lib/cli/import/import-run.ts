import type { ImportRecord, ImportService } from '../../server/articles/import-service.ts';
import type { Viewer } from '../../server/auth/auth-service.ts';
import type { Place } from './article.ts';
import type { Images } from './images.ts';
import type { OldSite } from './old-site.ts';
import type { Outcome } from './report.ts';
import type { Folder } from './walk.ts';

export interface ImportOptions {
  folder: string;
  author: Viewer;
  isDryRun: boolean;
  /** Whether to write over articles that were edited or deleted on the site. */
  force: boolean;
  /** Whether pages of the site (about, links …) become secret articles. */
  takesPages?: boolean;
  /** Where the site was served before. */
  oldSite?: OldSite | null;
  /** Whether the picture of another site at that address is stored here; none is where this is left out. */
  bringsIn?(address: string): boolean;
  /** Ends the run after the files under way. */
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
  /** Milliseconds since the epoch. */
  now?(): number;
}

/** One run, and what it knows. */
export interface Run {
  options: ImportOptions;
  imports: ImportService;
  folder: Folder;
  place: Place;
  images: Images;
  records: Map<string, ImportRecord>;
  /** Titles of articles, by path. */
  titles: ReadonlyMap<string, string>;
  /** Where readers found each article, by path. */
  formerPaths: ReadonlyMap<string, readonly string[]>;
  /** Former addresses that a dry run has foreseen, ids of articles by path. */
  promised: Map<string, string>;
  /** Ids of the author's series, by name. */
  series: ReadonlyMap<string, string>;
  /** Which files link to an article, by the path of the article. */
  linkers: Map<string, Set<string>>;
  /** Articles that could not be written: links to them stay as they are. */
  lost: Set<string>;
  /** Articles that came back under another id. */
  moved: Set<string>;
  outcomes: Map<string, Outcome>;
  failures: Map<string, string>;
  warnings: Map<string, Set<string>>;
}

/** Notes what the operator should know of a file. */
export function warn(run: Run, path: string, text: string): void {
  const warnings = run.warnings.get(path) ?? new Set();
  run.warnings.set(path, warnings.add(text));
}
