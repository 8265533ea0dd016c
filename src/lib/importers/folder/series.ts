import type { ImportService } from '../../server/articles/import/import-service.ts';
import type { ImportOptions, Run } from './import-run.ts';

/**
 * Returns the ids of the series that files name; creates missing ones, except in a dry run.
 * @param series files of each series, by its name
 * @param warnings receives Chinese sentences, by file
 */
export async function openSeries(
  imports: ImportService,
  { author, isDryRun }: Pick<ImportOptions, 'author' | 'isDryRun'>,
  series: ReadonlyMap<string, readonly string[]>,
  warnings: Map<string, Set<string>>,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [name, paths] of series) {
    const { id, loss } = await imports.series(author, name, { isDryRun });
    if (id !== null) ids.set(name, id);
    if (loss === null) continue;
    for (const path of paths) warnings.set(path, (warnings.get(path) ?? new Set()).add(loss));
  }
  return ids;
}

/** Orders the articles of each series as their files state, if this run created any of them. */
export async function orderSeries(
  { imports, options, series, records, outcomes }: Run,
  files: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (options.isDryRun) return;
  for (const [name, paths] of files) {
    const id = series.get(name);
    if (id === undefined || !paths.some((path) => outcomes.get(path) === 'created')) continue;
    const ids = paths.flatMap((path) => records.get(path)?.articleId ?? []);
    await imports.orderSeries(options.author, id, ids);
  }
}
