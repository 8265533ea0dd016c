import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem } from '../../markdown-file/problem.ts';
import { readArchive, readContents, type Stored } from './archive.ts';
import { openUnpacked } from '../source-file.ts';
import { createByteReader, unpacked } from './byte-reader.ts';
import { readNext } from './documents.ts';

export interface Dump {
  readonly name: string;
  /** Yields stored documents of a collection; null yields those of all, and runs every check. */
  documents(collection: string | null): AsyncIterable<Stored>;
}

/** Name of the predecessor's database; other databases with its collections are accepted too. */
const DATABASE = 'Blog';
const NEEDED = 'pages';
const BSON = /^(.+)\.bson(?:\.gz)?$/;

/** Opens a folder or archive of `mongodump`. @throws Problem for anything else */
export async function openDump(path: string): Promise<Dump> {
  return statSync(path).isDirectory() ? openFolder(path) : openArchive(path);
}

async function openArchive(path: string): Promise<Dump> {
  const name = basename(path);
  const contents = await readContents(path, name);
  const named = contents.has(DATABASE) ? DATABASE : undefined;
  const database = named ?? [...contents].find(([, collections]) => collections.has(NEEDED))?.[0];
  if (database === undefined) throw new Problem(`${name} 里没有数据库 ${DATABASE}`);
  if (!contents.get(database)?.has(NEEDED))
    throw new Problem(`${name} 里没有文章：数据库 ${database} 里没有集合 ${NEEDED}`);
  return { name, documents: (wanted) => readArchive(path, name, { database, wanted }) };
}

function openFolder(path: string): Dump {
  const folder = findFolder(path);
  if (folder === null) throw new Problem(`${path} 里没有 mongodump 导出的 ${NEEDED}.bson`);
  const collections = listCollections(folder);
  return {
    name: basename(folder),
    async *documents(wanted) {
      for (const [collection, file] of collections)
        if (wanted === null || wanted === collection) yield* readFile(join(folder, file), collection);
    },
  };
}

function findFolder(path: string): string | null {
  if (listCollections(path).has(NEEDED)) return path;
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).sort();
  const first = [DATABASE, ...names].find(
    (name) => names.includes(name) && listCollections(join(path, name)).has(NEEDED),
  );
  return first === undefined ? null : join(path, first);
}

function listCollections(folder: string): Map<string, string> {
  const files = readdirSync(folder).sort();
  return new Map(
    files.flatMap((file) => {
      const [, collection] = BSON.exec(file) ?? [];
      return collection === undefined ? [] : [[collection, file] as const];
    }),
  );
}

async function* readFile(path: string, collection: string): AsyncGenerator<Stored> {
  const name = basename(path);
  const stream = await openUnpacked(path);
  try {
    const reader = createByteReader(stream);
    for (;;) {
      const next = await readNext(reader, name);
      if (next.kind === 'end') return;
      if (next.kind === 'terminator') throw new Problem(`${name} 已损坏：文档的长度不对`);
      yield { collection, bytes: next.bytes };
    }
  } catch (error) {
    throw unpacked(error, name);
  } finally {
    stream.destroy();
  }
}
