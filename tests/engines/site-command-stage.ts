import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSite } from '../../src/lib/importers/site/import-site.ts';
import { PRODUCTS } from '../../src/lib/importers/site/products.ts';
import type { SourceOptions } from '../../src/lib/importers/site/foreign-site.ts';
import { describeSite } from '../../src/lib/importers/site/site-report.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';
import { siteOf } from './import-stage.ts';

/** A site into which `moye import <product>` imports another one. */
export interface SiteCommandStage {
  app: App;
  /** Folder for files of the test. */
  place: string;
  rows: TestStorage['rows'];
  /** Runs the command with its words, environment and output. */
  moye(...words: string[]): ReturnType<typeof runMoye>;
  /** Runs the command's work in this process; resolves to the numbers at the end of its report. */
  runImport(path: string, options?: Partial<SourceOptions> & { isDryRun?: boolean }): Promise<string[]>;
  /** Row counts of the tables that an import writes. */
  countAll(): Promise<number[]>;
  close(): Promise<void>;
}

const TABLES = ['articles', 'users', 'comments', 'tags', 'imports', 'files'];

export async function openSiteCommandStage(name: string): Promise<SiteCommandStage> {
  const place = mkdtempSync(join(tmpdir(), `moye-${name}-`));
  const storage = await createStorage(join(place, 'data'));
  const app = await createApp(readConfig(siteOf(storage)));
  return {
    app,
    place,
    rows: storage.rows,
    moye: (...words) => runMoye(storage, ['import', name, ...words]),
    async runImport(path, { isDryRun = false, ...options } = {}) {
      const product = PRODUCTS.find((each) => each.name === name);
      const site = await product?.open(path, { origins: [], uploads: undefined, pages: false, ...options });
      if (!site) throw new Error(`no product ${name}`);
      try {
        const report = await importSite(site, app.services, { isDryRun, mergesUsers: false, map: new Map() });
        return numbersOf(describeSite(report).join('\n'));
      } finally {
        await site.close();
      }
    },
    countAll: () => Promise.all(TABLES.map((table) => storage.count(`select count(*) from ${table}`))),
    async close() {
      await app.close();
      await storage.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Last lines of a report, which contain its numbers. */
export const numbersOf = (output: string): string[] => output.trim().split('\n').slice(-4);
