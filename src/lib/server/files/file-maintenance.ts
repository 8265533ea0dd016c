import { listNamesAfter, selectNames } from './file-queries.ts';
import { originalOf, type ListedUpload } from './uploads.ts';
import type { VariantRecords } from './variant-records.ts';
import { HOUR_MS } from '../../shared/units.ts';
import type { AppParts } from '../services.ts';

interface Parts extends Pick<AppParts, 'db' | 'log' | 'now' | 'uploads'> {
  records: VariantRecords;
  reach<T>(work: Promise<T>): Promise<T>;
}

const BATCH_SIZE = 200;

export function createFileMaintenance({ db, uploads, records, log, now, reach }: Parts) {
  async function* scan(instant: number): AsyncGenerator<{ some: ListedUpload[]; recorded: Set<string> }> {
    for await (const listed of uploads.listOlder(instant)) {
      for (let start = 0; start < listed.length; start += BATCH_SIZE) {
        const some = listed.slice(start, start + BATCH_SIZE);
        yield {
          some,
          recorded: await selectNames(db.read, [...new Set(some.map(({ name }) => originalOf(name)))]),
        };
      }
    }
  }

  const findOrphans = async (): Promise<{ orphans: string[]; known: number }> => {
    const orphans: string[] = [];
    let known = 0;
    for await (const { some, recorded } of scan(now() - HOUR_MS)) {
      const unknown = some.filter(({ name }) => !recorded.has(originalOf(name)));
      known += some.length - unknown.length;
      orphans.push(...unknown.map(({ name }) => name));
    }
    return { orphans, known };
  };

  const findVariantFaults = async (): Promise<{ unrecorded: ListedUpload[]; lost: string[] }> => {
    const existing = new Set<string>();
    const unrecorded: ListedUpload[] = [];
    for await (const { some, recorded } of scan(Infinity)) {
      const copies = some.filter(({ name }) => originalOf(name) !== name && recorded.has(originalOf(name)));
      for (const { name } of copies) existing.add(name);
      unrecorded.push(...(await records.unrecorded(copies)));
    }
    const lost: string[] = [];
    for await (const files of records.list())
      for (const file of files)
        // A copy made meanwhile was not listed.
        if (!existing.has(file) && (await reach(uploads.size(file))) === null) lost.push(file);
    return { unrecorded, lost };
  };

  return {
    findOrphans,
    /**
     * Removes files older than an hour without a row; returns their number. Removes none if more files are
     * unknown than known: they may belong to another database, or their rows may not be restored yet.
     */
    async removeOrphans(): Promise<number> {
      const { orphans, known } = await findOrphans();
      if (orphans.length > known) {
        log.warn(
          { unknown: orphans.length, known },
          'most uploads are unknown to the database: removing none',
        );
        return 0;
      }
      for (const name of orphans) await uploads.remove(name);
      return orphans.length;
    },
    findVariantFaults,
    /** Makes the records match the storage, after a restore or an upgrade. */
    async mendVariants(): Promise<void> {
      const { unrecorded, lost } = await findVariantFaults();
      await records.addAll(unrecorded);
      await records.forget(lost);
    },
    async removeUnusedVariants(isStopping: () => boolean): Promise<number> {
      let removed = 0;
      while (!isStopping()) {
        const unused = await records.listUnused();
        if (unused.length === 0) break;
        await records.forget(unused);
        for (const file of unused) await uploads.remove(file);
        removed += unused.length;
      }
      return removed;
    },
    async findMissing(): Promise<string[]> {
      const existing = new Set<string>();
      for await (const names of uploads.listOlder(Infinity)) for (const { name } of names) existing.add(name);
      const missing: string[] = [];
      for (let after = ''; ;) {
        const names = await listNamesAfter(db.read, after, BATCH_SIZE);
        for (const name of names) {
          if (!existing.has(name) && (await reach(uploads.size(name))) === null) missing.push(name);
        }
        const last = names.at(-1);
        if (last === undefined) return missing;
        after = last;
      }
    },
  };
}
