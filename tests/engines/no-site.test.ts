import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../src/lib/cli/program.ts';
import { createStorage, ENGINE, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';

let folder: string;
let storage: TestStorage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moye-no-site-'));
  storage = await createStorage(join(folder, 'data'), { isEmpty: true });
  writeFileSync(join(folder, 'list.csv'), '/old,64b1f0a2c3d4e5f6a7b8c9d0\n');
  writeFileSync(join(folder, 'article.md'), '# 山\n');
});
afterAll(async () => {
  await storage.remove();
  rmSync(folder, { recursive: true });
});

const ID = '64b1f0a2c3d4e5f6a7b8c9d0';
/** Commands that need a site, with arguments. */
const NEEDS_SITE: string[][] = [
  ['import', 'markdown', '.', '--author', '王维'],
  ['import', 'markdown', '.', '--author', '王维', '--create-author', '--dry-run'],
  ['import', 'moye', '.', '--dry-run'],
  ['user', 'list'],
  ['user', 'passwd', '王维', '--generate'],
  ['user', 'role', '王维', 'editor'],
  ['user', 'ban', '王维', '--reason', '广告'],
  ['user', 'unban', '王维'],
  ['user', 'rescue', '王维'],
  ['content', 'hide', 'article', ID],
  ['content', 'restore', 'article', ID],
  ['content', 'delete', 'article', ID],
  ['profile', 'show', '王维'],
  ['profile', 'remove', 'user', '王维', 'bio', '--reason', '广告'],
  ['invite', 'list'],
  ['invite', 'end', 'code'],
  ['pin', ID],
  ['unpin', ID],
  ['pins'],
  ['backup', 'x.tar.zst'],
  ['export', 'author', '王维', 'x.zip'],
  ['export', 'site', 'x.zip'],
  ['push', 'list'],
  ['token', 'list', '--user', '王维'],
  ['token', 'revoke', ID],
  ['redirects', 'list'],
  ['redirects', 'add', ID, '/old'],
  ['redirects', 'remove', '/old'],
  ['redirects', 'import', 'list.csv'],
  ['doctor'],
  ['doctor', '--mend'],
];
/** Commands that may begin a site, or take the databases from their arguments. */
const OTHERS = [
  'publish',
  'user add',
  'invite add',
  'move',
  'restore',
  'help',
  ...['wordpress', 'ghost', 'halo', 'typecho', 'mongo'].map((product) => `import ${product}`),
];

const inFolder = (word: string) =>
  /^(?:\.|\w+\.(?:csv|zip|tar\.zst))$/.test(word) ? join(folder, word) : word;

test.each(NEEDS_SITE.map((words) => [words.join(' '), words] as const))(
  'without a site, `%s` refuses and creates nothing',
  async (_, words) => {
    const { code, output, errors } = await runMoye(storage, words.map(inFolder), {
      environment: { TOKEN_SECRET: ENGINE === 'sqlite' ? undefined : storage.settings['TOKEN_SECRET'] },
    });
    expect(errors).toMatch(/^moye：[^\n]+里没有站点[^\n]+\n$/);
    expect([code, output]).toEqual([1, '']);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    expect(existsSync(join(folder, 'x.zip'))).toBe(false);
    if (ENGINE === 'postgres')
      expect(await storage.count("select count(*) from pg_tables where schemaname = 'public'")).toBe(0);
  },
);

test('every command is listed above', () => {
  const namesOf = (command: ReturnType<typeof createProgram>, path: string[] = []): string[] =>
    command.commands.length === 0
      ? [path.join(' ')]
      : command.commands.flatMap((each) => namesOf(each, [...path, each.name()]));
  const listed = new Set([...NEEDS_SITE.map((words) => words.join(' ')), ...OTHERS]);
  const missing = namesOf(createProgram()).filter(
    (name) => ![...listed].some((each) => `${each} `.startsWith(`${name} `)),
  );
  expect(missing).toEqual([]);
});
