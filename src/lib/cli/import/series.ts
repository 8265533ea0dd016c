import type { ImportService } from '../../server/articles/import-service.ts';
import type { ImportOptions, Run } from './import-run.ts';

/**
 * The ids of the author's series that files name; those that are not there yet are made, in a dry run only
 * thought of.
 * @param series the files of each, by its name
 * @param warnings gets Chinese sentences, by file
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

/** Puts the articles of a series in the order that their files say, where this run brought some of them. */
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
