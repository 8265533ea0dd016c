import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { foldName } from '../../contract/rules/names.ts';
import { openDestination, passing, removeLeftovers } from '../backup/destination.ts';
import type { Draft } from '../backup/places.ts';
import { isUrl } from '../config/backup-settings.ts';
import type { Config } from '../config/config.ts';
import { ensureWritableFolder } from '../storage/data-folder.ts';
import { explainLost, openSnapshot, placeIn, requireSound } from './databases.ts';
import type { Snapshot } from '../db/database.ts';
import { NEWEST_VERSION } from '../db/migrate.ts';
import { findAuthor } from '../export/export-queries.ts';
import type { ExportProgress, ExportScope } from '../export/export-run.ts';
import { ExportError, type Manifest } from '../export/format.ts';
import { folderSink, zipSink, type ExportSink } from '../export/sink.ts';
import { writeExport } from '../export/write-export.ts';
import { openUploads } from '../wiring/open-storage.ts';
import { productVersion } from '../shared/product-version.ts';
import { addressOf } from '../redirects/canonical-path.ts';

export type ExportedSite = Pick<Config, 'dataDir' | 'databaseUrl' | 'uploads' | 'siteTimeZone'>;

interface Options {
  signal: AbortSignal;
  onProgress(progress: ExportProgress): void;
  onRead?: () => Promise<void>;
}

/**
 * Exports the data of one author (by name) or of a site (null) while a server runs, into a new folder, or a
 * zip if the target's name ends in `.zip`. The result appears complete or not at all.
 * @throws ExportError, OperationError, BackupError (the target exists), StorageUnusableError, AbortError,
 * errors of the storages
 */
export async function exportTo(
  {
    site,
    author,
    withAccounts,
    target,
  }: {
    site: ExportedSite;
    author: string | null;
    withAccounts: boolean;
    target: string;
  },
  options: Options,
): Promise<Manifest> {
  if (isUrl(target)) throw new ExportError('导出只能写到本机的文件夹或 .zip 文件，不能写到网址');
  const path = resolve(target);
  return withSource(site, async (snapshot, write) => {
    const whose = author === null ? null : await findAuthor(snapshot.db, foldName(author));
    if (author !== null && whose === null) throw new ExportError(`没有用户 ${author}`);
    const draft = /\.zip$/i.test(path) ? await beginZip(path) : await beginFolder(path);
    try {
      const manifest = await write({ whose, withAccounts }, draft.sink, options);
      options.signal.throwIfAborted();
      await draft.commit();
      return manifest;
    } catch (error) {
      await draft.discard();
      throw error;
    }
  });
}

/** Exports the data of one author as a streamed zip. @throws like `exportTo`, and errors of `writable` */
export async function exportAuthor(
  site: ExportedSite,
  authorId: string,
  writable: WritableStream<Uint8Array>,
  options: Options,
): Promise<Manifest> {
  return withSource(site, (_snapshot, write) =>
    write({ whose: authorId, withAccounts: false }, zipSink(writable), options),
  );
}

type Write = (scope: ExportScope, sink: ExportSink, options: Options) => Promise<Manifest>;

/**
 * Opens the database in one read-only transaction, which blocks no writer. Closes it once all rows are read,
 * because pictures may take long.
 */
async function withSource<T>(
  site: ExportedSite,
  work: (snapshot: Snapshot, write: Write) => Promise<T>,
): Promise<T> {
  const uploads = openUploads(site);
  const snapshot = await openSnapshot(placeIn(site)).catch((error: unknown) => {
    uploads.close();
    throw error;
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await snapshot.close();
    isOpen = false;
  };
  try {
    if (snapshot.version > 0 && snapshot.version < NEWEST_VERSION)
      throw new ExportError('数据库是旧版本的墨页建的：先用现在的版本启动一次服务，再导出');
    await requireSound(snapshot, '导出');
    const { siteTimeZone: timeZone } = site;
    const source = { snapshot, time: Date.now(), uploads, addressOf, product: productVersion(), timeZone };
    return await work(snapshot, (scope, sink, { onRead = async () => {}, ...options }) =>
      writeExport(source, scope, sink, {
        ...options,
        async onRead() {
          await close();
          await onRead();
        },
      }),
    );
  } catch (error) {
    throw explainLost(error, '再导出');
  } finally {
    await close();
    uploads.close();
  }
}

async function beginZip(path: string): Promise<Draft<ExportSink>> {
  const draft = await openDestination({ folder: dirname(path) }).begin(basename(path));
  return { ...draft, sink: zipSink(Writable.toWeb(draft.sink)) };
}

async function beginFolder(path: string): Promise<Draft<ExportSink>> {
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new ExportError(`${path} 已经存在，不会覆盖：请换一个文件夹`);
  ensureWritableFolder(dirname(path));
  removeLeftovers(path);
  const partial = passing(path, 'partial');
  await mkdir(partial, { mode: 0o700 });
  return {
    sink: folderSink(partial),
    commit: () => rename(partial, path),
    discard: () => rm(partial, { recursive: true, force: true }),
  };
}
