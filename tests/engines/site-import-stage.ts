import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ForeignSite, Items } from '../../src/lib/importers/site/foreign-site.ts';
import { importSite } from '../../src/lib/importers/site/import-site.ts';
import type { SiteReport } from '../../src/lib/importers/site/site-report.ts';
import type { SiteOptions } from '../../src/lib/importers/site/site-run.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { siteOf } from './import-stage.ts';

/** Contents of a site under test; whatever is omitted, the site does not have. */
export interface FakeSite extends Partial<Pick<ForeignSite, 'product' | 'identity' | 'origins'>> {
  users?: FakeOf<'users'>[];
  tags?: FakeOf<'tags'>[];
  series?: FakeOf<'series'>[];
  articles?: FakeArticle[];
  comments?: FakeOf<'comments'>[];
  pictures?: Record<string, Uint8Array>;
}
type FakeOf<K extends 'users' | 'tags' | 'series' | 'articles' | 'comments'> =
  ReturnType<ForeignSite[K]> extends Items<infer T> ? T : never;
type FakeArticle = Pick<FakeOf<'articles'>, 'key' | 'author' | 'title' | 'content'> &
  Partial<FakeOf<'articles'>>;

/** A site in memory, in the form that a reader of a product returns. */
function fakeSite(fake: FakeSite): ForeignSite {
  const listOf = <T>(items: readonly T[] = []) =>
    async function* (): AsyncGenerator<T> {
      yield* items;
    };
  const articles = (fake.articles ?? []).map((article) => ({
    tags: ['旧'],
    status: 'normal' as const,
    isSecret: false,
    formerPaths: [],
    warnings: [],
    ...article,
  }));
  return {
    product: fake.product ?? '试验',
    identity: fake.identity ?? 'old.example',
    origins: fake.origins ?? ['https://old.example'],
    users: listOf(fake.users),
    tags: listOf(fake.tags),
    series: listOf(fake.series),
    articles: listOf(articles),
    comments: listOf(fake.comments),
    picture: async (address) => fake.pictures?.[address] ?? null,
    losses: () => [],
    close: async () => undefined,
  };
}

/** A site into which other sites are imported. */
export interface SiteImportStage {
  app: App;
  storage: TestStorage;
  rows: TestStorage['rows'];
  count: TestStorage['count'];
  run(fake: FakeSite, options?: Partial<SiteOptions>): Promise<SiteReport>;
  close(): Promise<void>;
}

export async function openSiteImportStage(): Promise<SiteImportStage> {
  const place = mkdtempSync(join(tmpdir(), 'moye-site-'));
  const storage = await createStorage(join(place, 'data'));
  const app = await createApp(readConfig(siteOf(storage)));
  return {
    app,
    storage,
    rows: storage.rows,
    count: storage.count,
    run: (fake, options = {}) =>
      importSite(fakeSite(fake), app.services, {
        isDryRun: false,
        mergesUsers: false,
        map: new Map(),
        ...options,
      }),
    async close() {
      await app.close();
      await storage.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
