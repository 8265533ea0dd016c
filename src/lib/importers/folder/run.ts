import { posix, sep } from 'node:path';
import type { ImportRecord, ImportService } from '../../server/articles/import/import-service.ts';
import { retrying } from '../../server/operations/retry.ts';
import type { Report } from '../report.ts';
import { isInVault, warn, type ImportOptions, type Run } from './import-run.ts';
import { createAddressBook } from './addresses.ts';
import { atOnce } from './at-once.ts';
import { siteInSettings, zoneOf } from './generators/settings.ts';
import { createImages } from './images.ts';
import { scan, type Scanned } from './scan.ts';
import type { Place } from './article.ts';
import { readGitDates } from './git-dates.ts';
import { openSiteVisibility } from './site-visibility.ts';
import { take } from './take.ts';
import { importLinks, planPages } from './site-pages.ts';
import { openFolder, type Folder, type FoundFile } from './walk.ts';

/**
 * Returns the path under which the files of a folder are recorded: its own, or the folder's path before it
 * was moved or copied, if at least half of these files are recorded there unchanged. Equal names alone prove
 * nothing.
 * @param root the folder's real path, `/` separated
 * @param files path relative to the folder and SHA-256 of each
 */
export function findBase(
  root: string,
  files: readonly { path: string; hash: string }[],
  records: readonly ImportRecord[],
): string {
  if (records.some(({ source }) => source.startsWith(`${root}/`))) return root;
  const sources = new Map<string, string[]>();
  for (const { source, fileHash } of records)
    sources.set(fileHash, [...(sources.get(fileHash) ?? []), source]);
  const votes = new Map<string, number>();
  for (const { path, hash } of files) {
    for (const source of sources.get(hash) ?? []) {
      if (!source.endsWith(`/${path}`)) continue;
      const base = source.slice(0, -path.length - 1);
      votes.set(base, (votes.get(base) ?? 0) + 1);
    }
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  return best && best[1] * 2 >= files.length ? best[0] : root;
}

/** Finds the series that files name; creates missing ones, except in a dry run. */
async function openSeries(run: Run): Promise<void> {
  const { author, isDryRun } = run.options;
  for (const [name, paths] of run.scanned.series) {
    const { id, loss } = await run.imports.series(author, name, { isDryRun });
    if (id !== null) run.series.set(name, id);
    if (loss !== null) for (const path of paths) warn(run, path, loss);
  }
}

/** Orders the articles of each series as their files state, if this run created any of them. */
async function orderSeries({ imports, options, scanned, series, records, outcomes }: Run): Promise<void> {
  if (options.isDryRun) return;
  for (const [name, paths] of scanned.series) {
    const id = series.get(name);
    if (id === undefined || !paths.some((path) => outcomes.get(path) === 'created')) continue;
    const ids = paths.flatMap((path) => records.get(path)?.articleId ?? []);
    await imports.orderSeries(options.author, id, ids);
  }
}

/**
 * Imports the markdown files of a folder. Each article is durable by itself; the next run completes a killed
 * one. A file that cannot be imported does not stop the run; temporary refusals are retried.
 * @throws the system's error if the folder cannot be read; errors of storage that is full or unavailable
 */
export async function importFolder(service: ImportService, options: ImportOptions): Promise<Report> {
  const imports = retrying(service, options.signal);
  const folder = openFolder(options.folder);
  const { dates, warning } = await readGitDates(folder.root, options.signal);
  const { takesPlacedPages = false, omitsHidden = false, makesPages = false } = options;
  const { takesPages = makesPages } = options;
  const now = (options.now ?? Date.now)();
  const visibility = openSiteVisibility(folder);
  const { zone, unknown } = zoneOf(folder.generator);
  const place: Place = { ...folder, now, zone, takesPlacedPages, omitsHidden, dates, visibility };
  const scanned = await scan(folder, imports, place, { takesPages, makesPages });
  const run = await begin(imports, options, { folder, place, scanned });
  await openSeries(run);
  await planPages(run);
  if (warning !== null) warn(run, '.', warning);
  if (unknown !== null) warn(run, '.', `网站设置里的时区“${unknown}”不存在，日期按北京时间读取`);
  // Starts with files that were refused in earlier runs: if they are refused again, other articles must not
  // link to them.
  const wasRefused = ({ path }: FoundFile): boolean => {
    const record = run.records.get(path);
    return record !== undefined && record.fileHash !== '' && record.articleHash === '';
  };
  const ready = folder.files.filter(({ path }) => scanned.addresses.has(path));
  let done = folder.files.length - ready.length;
  const advance = (): void => options.onProgress?.(++done, folder.files.length);
  options.onProgress?.(done, folder.files.length);
  const [first, rest] = [ready.filter(wasRefused), ready.filter((file) => !wasRefused(file))];
  await importAll(run, first, advance);
  await importAll(run, rest, advance);
  await mendLinks(run, ready);
  await orderSeries(run);
  await addAddresses(run);
  await importLinks(run);
  return summarise(run);
}

async function begin(
  imports: ImportService,
  options: ImportOptions,
  { folder, place, scanned }: { folder: Folder; place: Place; scanned: Scanned },
): Promise<Run> {
  const former = await imports.list(options.author.id);
  const base = findBase(folder.root.split(sep).join('/'), scanned.hashes, former);
  const paths = [...scanned.addresses.keys()];
  const sourceOf = (path: string): string => `${base}/${path}`;
  const known = options.isDryRun
    ? new Map(former.map((record) => [record.source, record]))
    : await imports.reserve(options.author.id, paths.map(sourceOf));
  const notes = [...scanned.notes].map(([path, reason]) => ({ path, reason }));
  return {
    options,
    imports,
    folder,
    // A moved folder keeps the name under which its articles are recorded.
    place: { ...place, name: posix.basename(base) },
    images: createImages(imports, options.author, options.isDryRun),
    records: new Map(
      paths.map((path) => [path, known.get(sourceOf(path)) ?? imports.imagine(sourceOf(path))]),
    ),
    scanned,
    pages: new Map(),
    navigation: 0,
    friends: 0,
    promised: new Map(),
    series: new Map(),
    linkers: new Map(),
    lost: new Set(),
    moved: new Set(),
    outcomes: new Map([...scanned.failures.keys()].map((path) => [path, 'failed'])),
    warnings: new Map([...folder.skipped, ...notes].map(({ path, reason }) => [path, new Set([reason])])),
  };
}

async function importAll(run: Run, files: readonly FoundFile[], advance: () => void): Promise<void> {
  const targets = new Map([...run.scanned.addresses].filter(([path]) => !run.lost.has(path)));
  const { options, folder } = run;
  const oldSite = options.oldSite ?? siteInSettings(folder.generator);
  const book = createAddressBook(folder, targets, oldSite, (path) => isInVault(run, path));
  const waiting = [...files];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file && !run.options.signal?.aborted; file = waiting.shift()) {
      await take(run, book, file);
      advance();
    }
  };
  await atOnce(() => work().finally(() => (waiting.length = 0)));
}

/** Rewrites the articles that link to files which failed or got another id. */
async function mendLinks(run: Run, files: readonly FoundFile[]): Promise<void> {
  const affected = new Set([...run.lost, ...run.moved].flatMap((path) => [...(run.linkers.get(path) ?? [])]));
  const again = files.filter(({ path }) => affected.has(path) && !run.lost.has(path));
  if (again.length === 0 || run.options.signal?.aborted) return;
  await importAll(run, again, () => undefined);
}

/** Unchanged articles may have been imported before former addresses were stored. */
async function addAddresses({ imports, options, scanned, records, outcomes }: Run): Promise<void> {
  if (options.isDryRun) return;
  const entries = [...scanned.formerPaths].flatMap(([path, addresses]) => {
    const articleId = records.get(path)?.articleId;
    if (articleId === undefined || outcomes.get(path) !== 'unchanged') return [];
    return addresses.map((address) => ({ address, articleId }));
  });
  await imports.addAddresses(entries);
}

function summarise(run: Run): Report {
  const counts: Report['counts'] = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
  for (const outcome of run.outcomes.values()) counts[outcome] += 1;
  const { failures, pages, unused } = run.scanned;
  const byPath = <T>([a]: [string, T], [b]: [string, T]): number => (a < b ? -1 : 1);
  const isPage = (path: string): boolean => run.pages.has(run.records.get(path)?.articleId ?? '');
  return {
    made: [...run.outcomes].filter(([path, outcome]) => outcome === 'created' && isPage(path)).length,
    navigation: run.navigation,
    friends: run.friends,
    makesPages: run.options.makesPages ?? false,
    isDryRun: run.options.isDryRun,
    wasStopped: run.options.signal?.aborted ?? false,
    total: run.folder.files.length,
    counts,
    failures: [...failures].sort(byPath).map(([path, reason]) => ({ path, reason })),
    warnings: [...run.warnings]
      .sort(byPath)
      .flatMap(([path, texts]) => [...texts].map((text) => ({ path, text }))),
    pages,
    unused: [...unused].sort(byPath).map(([name, count]) => ({ name, count })),
  };
}
