import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';
import { siteOf } from './import-stage.ts';

/** A whole site into which `moye import <product>` brings another. */
export interface SiteCommandStage {
  /** A folder for the test's own files. */
  place: string;
  rows: TestStorage['rows'];
  /** Runs the command in a process of its own. */
  moye(...words: string[]): ReturnType<typeof runMoye>;
  /** How many rows the tables have that an import writes. */
  countAll(): Promise<number[]>;
  /** Opens the site for a moment. */
  inApp<T>(work: (app: App) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openSiteCommandStage(product: string): Promise<SiteCommandStage> {
  const place = mkdtempSync(join(tmpdir(), `moye-${product}-`));
  const storage = await createStorage(join(place, 'data'));
  const inApp: SiteCommandStage['inApp'] = async (work) => {
    const app = await createApp(readConfig(siteOf(storage)));
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  };
  // Makes the tables.
  await inApp(async () => undefined);
  return {
    place,
    rows: storage.rows,
    moye: (...words) => runMoye(storage, ['import', product, ...words]),
    countAll: () =>
      Promise.all(
        ['articles', 'users', 'comments', 'tags', 'imports', 'files'].map((table) =>
          storage.count(`select count(*) from ${table}`),
        ),
      ),
    inApp,
    async close() {
      await storage.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** The numbers at the end of a report. */
export const numbersOf = (output: string): string[] => output.trim().split('\n').slice(-4);
