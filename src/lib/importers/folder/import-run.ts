import { posix } from 'node:path';
import type { ImportRecord, ImportService } from '../../server/articles/import/import-service.ts';
import type { PlannedPage } from '../../server/articles/pages/import-pages.ts';
import type { Viewer } from '../../server/auth/auth-service.ts';
import type { Place } from './article.ts';
import type { Images } from './images.ts';
import type { OldSite } from '../old-site.ts';
import type { Outcome } from '../report.ts';
import type { Scanned } from './scan.ts';
import type { Folder } from './walk.ts';

export interface ImportOptions {
  folder: string;
  author: Viewer;
  isDryRun: boolean;
  /** Whether to overwrite articles that were edited or deleted on the site. */
  force: boolean;
  /** Whether the import may write pages of the site, as the operator may. */
  makesPages?: boolean;
  /** Whether pages (about, links …) are imported: as secret articles without `makesPages`. */
  takesPages?: boolean | undefined;
  /** Whether files that only their place makes pages become articles like any other. */
  takesPlacedPages?: boolean;
  /** Whether hidden parts are left out, so that their articles can be public (`hideParts`). */
  omitsHidden?: boolean;
  /** The old site; by default as its settings describe it. */
  oldSite?: OldSite | null;
  /** Whether to store the picture at this address of another site; stores none if this is absent. */
  importsPicture?(address: string): boolean;
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
  now?(): number;
}

export interface Run {
  options: ImportOptions;
  imports: ImportService;
  folder: Folder;
  place: Place;
  images: Images;
  records: Map<string, ImportRecord>;
  scanned: Scanned;
  /** Places of pages, by id. */
  pages: Map<string, PlannedPage>;
  /** Number of entries added to the navigation, and of friends. */
  navigation: number;
  friends: number;
  /** Former addresses that a dry run has assigned: article ids by address. */
  promised: Map<string, string>;
  /** Ids of series, by the name that files give. */
  series: Map<string, string>;
  /** Files that link to an article, by the path of the article. */
  linkers: Map<string, Set<string>>;
  /** Articles that could not be written: links to them are unchanged. */
  lost: Set<string>;
  /** Articles that were imported again with another id. */
  moved: Set<string>;
  outcomes: Map<string, Outcome>;
  warnings: Map<string, Set<string>>;
}

export function warn(run: Run, path: string, text: string): void {
  const warnings = run.warnings.get(path) ?? new Set();
  run.warnings.set(path, warnings.add(text));
}

/** Whether a file is a note of an Obsidian vault. */
export const isInVault = ({ place }: Pick<Run, 'place'>, path: string): boolean =>
  place.visibility.isVault(posix.join(place.place, path));
