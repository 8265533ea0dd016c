import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/lib/cli/program.ts';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';
import { siteOf } from './import-stage.ts';

/**
 * Commands that write public texts. The operator who runs one decides that they are public; each article and
 * comment is recorded. A new command without a row fails. tests/api/public-writers.test.ts covers everything
 * that clients write.
 */
let place: string;
let storage: TestStorage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-commands-'));
  storage = await createStorage(join(place, 'data'));
});
afterEach(async () => {
  await storage.remove();
  rmSync(place, { recursive: true, force: true });
});

async function moye(...words: string[]): Promise<void> {
  const { code, errors } = await runMoye(storage, words);
  if (code !== 0) throw new Error(`moye ${words.join(' ')}: ${errors}`);
}
async function recordOrigins(): Promise<void> {
  const app = await createApp(readConfig(siteOf(storage)));
  await app.services.options.change({ keepOrigins: 30 }, null);
  await app.close();
}

const TYPECHO = fileURLToPath(new URL('../fixtures/import/typecho/', import.meta.url));
const importTypecho = () => moye('import', 'typecho', `${TYPECHO}dump.sql`, '--uploads', `${TYPECHO}uploads`);
async function importMarkdown(): Promise<void> {
  const folder = join(place, 'blog');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.md'), '---\ntitle: 鹿柴\ntags: [诗]\nseries: 辋川集\n---\n空山不见人\n');
  await moye('import', 'markdown', folder, '--author', '作者', '--create-author');
}
async function importMoye(): Promise<void> {
  const [former, folder] = [storage, join(place, 'export')];
  await importTypecho();
  await moye('export', 'site', folder);
  storage = await createStorage(join(place, 'other'));
  await recordOrigins();
  await moye('import', 'moye', folder);
  await former.remove();
}

/** What a command publishes; a sentence for one that writes no article and no comment. */
const ROWS: Readonly<Record<string, (() => Promise<void>) | string>> = {
  'import markdown': importMarkdown,
  'import typecho': importTypecho,
  'import moye': importMoye,
  'import mongo': 'writes as import typecho',
  'import wordpress': 'writes as import typecho',
  'import ghost': 'writes as import typecho',
  'import halo': 'writes as import typecho',
  'user add': 'a name and a bio that the operator chooses',
  publish: 'puts files as a client, which public-writers.test.ts tries',
  restore: 'restores the rows of a backup, records included',
  move: 'copies the rows of a site, records included',
  'content restore': 'a decision of staff',
  'profile remove': 'a decision of staff',
  ...ofNothing(
    'user passwd|user role|user ban|user unban|user rescue|user list|token list|token revoke|content hide',
    'content delete|profile show|invite add|invite list|invite end|pin|unpin|pins|backup|export author',
    'export site|push list|redirects list|redirects add|redirects remove|redirects import|doctor|help',
  ),
};

function ofNothing(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((line) => line.split('|')).map((name) => [name, 'no public text']));
}

type Program = ReturnType<typeof createProgram>;
const leavesOf = (command: Program, name = ''): string[] =>
  command.commands.length === 0
    ? [name]
    : command.commands.flatMap((each) => leavesOf(each, `${name} ${each.name()}`.trim()));

test('every command has a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(leavesOf(createProgram()).sort());
});

describe('an article and a comment', () => {
  const writing = Object.entries(ROWS).flatMap(([name, write]) =>
    typeof write === 'string' ? [] : [[name, write] as const],
  );

  test.each(writing)('by %s are recorded as imported', async (_, write) => {
    await recordOrigins();
    await write();
    const published = await storage.rows(
      'select id from articles where is_public = 1 union select id from comments',
    );
    expect(published.length).toBeGreaterThan(0);
    const recorded = await storage.rows("select item_id as id from post_origins where address = 'import'");
    const ids = new Set(recorded.map(({ id }) => id));
    expect(published.filter(({ id }) => !ids.has(id))).toEqual([]);
  });
});
