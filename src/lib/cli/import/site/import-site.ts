import { LRUCache } from 'lru-cache';
import type { Services } from '../../../server/services.ts';
import { bringArticles, planArticles } from './bring-articles.ts';
import { bringComments } from './bring-comments.ts';
import { bringSeries, bringTags } from './bring-lists.ts';
import { bringPeople, checkMap } from './bring-people.ts';
import type { ForeignSite } from './foreign-site.ts';
import { createOldAddresses } from './old-addresses.ts';
import { emptyReport, type SiteReport } from './site-report.ts';
import { isStopped, type SiteOptions, type SiteRun, type Taken } from './site-run.ts';

/** Addresses of pictures that are remembered: themes show the same on every page. */
const PICTURES_KEPT = 5_000;

/**
 * Brings a site in: people, tags, series, articles, comments. Each thing is durable on its own; the next run
 * over the same site completes one that was stopped or killed, and takes nothing twice. What cannot come is
 * in the report and stops nothing else.
 * @throws UsageError for names of `--map` that the site does not have; Problem for a source that cannot be
 * read; and what storage throws when it is full or out of reach
 */
export async function importSite(
  site: ForeignSite,
  { siteImports }: Pick<Services, 'siteImports'>,
  options: SiteOptions,
): Promise<SiteReport> {
  const run: SiteRun = {
    site,
    store: siteImports.open({ identity: `${site.product}:${site.identity}`, isDryRun: options.isDryRun }),
    options,
    now: (options.now ?? Date.now)(),
    report: emptyReport(site.product, options.isDryRun),
    tallies: new Map(),
    people: new Map(),
    guests: new Map(),
    series: new Map(),
    records: new Map(),
    stored: new Set(),
    addresses: createOldAddresses(site.origins),
    pictures: new LRUCache<string, Promise<Taken>>({ max: PICTURES_KEPT }),
  };
  await checkMap(run);
  await bringPeople(run);
  await bringTags(run);
  await bringSeries(run);
  const total = await planArticles(run);
  if (!isStopped(run)) await bringArticles(run, total);
  if (!isStopped(run)) await bringComments(run);
  run.report.wasStopped = isStopped(run);
  run.report.notes.push(...site.losses());
  return run.report;
}
