import { LRUCache } from 'lru-cache';
import { retrying } from '../../server/operations/retry.ts';
import type { Services } from '../../server/services.ts';
import { importArticles, planArticles } from './import-articles.ts';
import { importComments } from './import-comments.ts';
import { importLinks, importSeries, importTags } from './import-lists.ts';
import { importPeople, checkMap } from './import-people.ts';
import type { ForeignSite } from './foreign-site.ts';
import { createOldAddresses } from './old-addresses.ts';
import { emptyReport, type SiteReport } from './site-report.ts';
import { isStopped, type SiteOptions, type SiteRun, type Taken } from './site-run.ts';

/** Maximum cached picture addresses: themes show the same pictures on every page. */
const MAX_CACHED_PICTURES = 5_000;

/**
 * Imports a site: people, tags, series, articles, comments, navigation. Each item is durable by itself; the
 * next run over the same site completes an interrupted one without duplicates. Items that cannot be imported
 * are reported and do not stop the run; temporary refusals are retried.
 * @throws UsageError for users in `--map` that the site does not have; Problem for an unreadable source;
 * errors of storage that is full or unavailable
 */
export async function importSite(
  site: ForeignSite,
  { siteImports }: Pick<Services, 'siteImports'>,
  options: SiteOptions,
): Promise<SiteReport> {
  const { isDryRun, signal } = options;
  const store = siteImports.open({ identity: `${site.product}:${site.identity}`, isDryRun });
  const run: SiteRun = {
    site,
    store: retrying(store, signal),
    options,
    now: (options.now ?? Date.now)(),
    report: emptyReport(site.product, isDryRun),
    tallies: new Map(),
    people: new Map(),
    guests: new Map(),
    series: new Map(),
    records: new Map(),
    pages: new Map(),
    stored: new Set(),
    addresses: createOldAddresses(site.origins),
    pictures: new LRUCache<string, Promise<Taken>>({ max: MAX_CACHED_PICTURES }),
  };
  await checkMap(run);
  await importPeople(run);
  await importTags(run);
  await importSeries(run);
  const total = await planArticles(run);
  if (!isStopped(run)) await importArticles(run, total);
  if (!isStopped(run)) await importComments(run);
  if (!isStopped(run)) await importLinks(run);
  run.report.wasStopped = isStopped(run);
  run.report.notes.push(...site.losses());
  return run.report;
}
