import { copyFile, mkdir, mkdtemp } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../src/lib/server/db/sqlite/sqlite.ts';

let template: Promise<string> | undefined;

/** Puts a migrated database without content into a folder, which it creates if needed. */
export async function copyTemplate(folder: string): Promise<void> {
  template ??= migrate();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyFile(await template, join(folder, 'moye.sqlite'));
}

/** Returns the path of a migrated database, which is deleted with the process. */
async function migrate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moye-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'moye.sqlite');
  await (await openSqlite(file)).close();
  return file;
}
