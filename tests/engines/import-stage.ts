import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportOptions } from '../../src/lib/importers/folder/import-run.ts';
import { importFolder } from '../../src/lib/importers/folder/run.ts';
import type { Report } from '../../src/lib/importers/report.ts';
import type { Article } from '../../src/lib/contract/entities.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import type { Outside } from '../../src/lib/server/outside/outside.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';

export const FIXTURES = fileURLToPath(new URL('../fixtures/import/', import.meta.url));
/** 430 real articles in a folder next to the project, if present. */
export const CORPUS = fileURLToPath(new URL('../../../shared/corpus/javaguide/docs/', import.meta.url));
export const hasCorpus = existsSync(CORPUS);
/** Limit for a test that imports the whole of `CORPUS`, which takes a minute. */
export const CORPUS_TIMEOUT_MS = 900_000;

/** A site, an author, and a folder of files to import. */
export interface ImportStage {
  app: App;
  author: Viewer;
  dataDir: string;
  /** Settings for commands. */
  settings: TestStorage['settings'];
  /** Queries the database directly. */
  rows: TestStorage['rows'];
  count: TestStorage['count'];
  /** Folder that is imported. */
  folder: string;
  /** Writes files into `folder`. */
  put(files: Record<string, string | Uint8Array>): void;
  /** Imports `folder`, or according to `options`. */
  run(options?: Partial<ImportOptions>): Promise<Report>;
  /** Sources of all the author's articles, by title. */
  articles(): Promise<Map<string, Article>>;
  close(): Promise<void>;
}

/** @param outside HTTP client for pictures of other sites */
export async function openImportStage(
  fixture?: string,
  outside?: Outside,
  more: Record<string, string> = {},
): Promise<ImportStage> {
  const place = mkdtempSync(join(tmpdir(), 'moye-import-'));
  const [dataDir, folder] = [join(place, 'data'), join(place, fixture ?? 'blog')];
  mkdirSync(folder);
  if (fixture) cpSync(join(FIXTURES, fixture), folder, { recursive: true });
  const storage = await createStorage(dataDir);
  const settings = { ...storage.settings, ...more };
  const app = await createApp(readConfig(siteOf({ settings })), Date.now, outside);
  const { imports, accounts } = app.services;
  const { id, username } = await accounts.add({
    username: '作者',
    password: '松风吹解带山月照弹琴',
    bio: '',
  });
  const author = { id, username, signinId: '', origin: '' };
  return {
    app,
    author,
    dataDir,
    settings,
    rows: storage.rows,
    count: storage.count,
    folder,
    put: (files) => writeFiles(folder, files),
    run: (options = {}) =>
      importFolder(imports, { folder, author, isDryRun: false, force: false, ...options }),
    articles: () => readArticles(app, author),
    async close() {
      await app.close();
      await storage.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Environment of a site on that storage. */
export function siteOf({ settings }: Pick<TestStorage, 'settings'>): Record<string, string> {
  return { RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...settings };
}

export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

async function readArticles({ services }: App, author: Viewer): Promise<Map<string, Article>> {
  const found = new Map<string, Article>();
  for (const status of ['normal', 'draft'] as const) {
    const scope = { of: 'own', authorId: author.id, status } as const;
    const { result } = await services.articles.list(scope, { page: 1, pageSize: 999 });
    for (const { id } of result) {
      const article = await services.articles.readSource(id, author);
      found.set(article.title, article);
    }
  }
  return found;
}
