import { spawnSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles, readText, root } from '../unit/project/source-files.ts';

/** Commands of the documents that cannot run here, with the reason. */
const NOT_RUN: readonly [pattern: RegExp, reason: string][] = [
  [/^useradd /, 'needs root and changes the machine: the test has a user without rights'],
  [/^git clone /, 'the test has a clone'],
  [/^cd \/opt\/moye && npm run build$/, 'npm test builds'],
  [/^systemctl /, 'no systemd: the test starts commands as the user of the unit, in place of the server'],
  [/^journalctl /, 'no systemd; tests/api/start.sqlite.test.ts reads the link of a start'],
  [/^docker |^export POSTGRES_PASSWORD=/, 'no Docker on machines that run the tests'],
  [
    /^(?:cp deploy\/(?:nginx\/\w+|apache)\.conf|cat deploy\/Caddyfile|nginx -t|caddy validate|a2en(?:mod|site)) /,
    'changes the proxy of the machine; tests/api/proxies.test.ts starts the examples',
  ],
  [/^runuser -u postgres /, 'no PostgreSQL with its client programs'],
  [/^moye token revoke /, 'the site has no token; tests/engines/staff-command.test.ts revokes one'],
  [
    /^moye (?:backup|restore) s3:|^export BACKUP_S3_/,
    'no bucket at the documented address; tests/engines/backup-bucket.test.ts runs them',
  ],
  [/^moye move /, 'no PostgreSQL at the documented address; tests/engines/move-command.test.ts runs it'],
];
/** Commands that run here, in every document that has them. */
const RUN: readonly RegExp[] = [
  /^cp deploy\/moye\.service \/etc\/systemd\/system\/$/,
  /^ln -s \/opt\/moye\/deploy\/moye \/usr\/local\/bin\/moye$/,
  /^install (?:-d )?-m \d+ (?:-o moye )?(?:-g moye )?(?:\/dev\/null )?\/(?:etc|var\/backups)\/[\w.-]+$/,
  /^mkdir \/var\/lib\/moye\/before && mv \/var\/lib\/moye\/moye\.sqlite\* \/var\/lib\/moye\/token-secret \/var\/lib\/moye\/before$/,
  /^moye (?:backup|restore) \/var\/backups\/moye\/(?:\$\(date \+%F\)|[\d-]+)\.tar\.zst --passphrase-file \/etc\/moye-passphrase$/,
  /^moye export site \/var\/backups\/moye\/export\.zip --with-accounts$/,
  /^moye import moye \/var\/backups\/moye\/export\.zip --with-accounts --dry-run$/,
  /^moye redirects (?:import old\.csv|list > old\.csv|add \w{24} \/archives\/12\.html|remove \/archives\/12\.html)$/,
  /^moye user (?:list|add \S+(?: --role operator)? --generate|role \S+ \w+|unban \S+)$/,
  /^moye user (?:ban \S+ --days 7 --reason \S+ --hide|rescue \S+(?: --second-factor)?)$/,
  /^moye token list$/,
  /^moye content (?:hide|restore) article \w{24}(?: --reason \S+)?$/,
  /^moye invite (?:list|add --uses 5 --days 30 --note \S+)$/,
  /^moye doctor$/,
];

const documents = listFiles('docs').filter((path) => /^docs\/(?:deploy|operate)[\w.-]*\.md$/.test(path));

interface Block {
  language: string;
  lines: string[];
}

const blocksOf = (path: string): Block[] =>
  [...readText(path).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    lines: text
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== ''),
  }));
const isSetting = (line: string): boolean => /^[A-Z][A-Z0-9_]*=/.test(line);
const commandsOf = (path: string): string[] =>
  blocksOf(path)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ lines }) => lines)
    .filter((line) => !isSetting(line));
const allCommands = documents.flatMap(commandsOf);

test('every command of the documents runs here or has a reason not to, and every pattern is in use', () => {
  expect(documents).toEqual(['docs/deploy.md', 'docs/deploy.zh-CN.md', 'docs/operate.zh-CN.md']);
  const patterns = [...RUN, ...NOT_RUN.map(([pattern]) => pattern)];
  const unlisted = allCommands.filter((line) => !patterns.some((pattern) => pattern.test(line)));
  expect(unlisted).toEqual([]);
  expect(patterns.filter((pattern) => !allCommands.some((line) => pattern.test(line)))).toEqual([]);
});

// Root becomes a user without rights; another user has none already.
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: 65_534, gid: 65_534 } : userInfo();
const PASSPHRASE = '空山不见人，但闻人语响，返景入深林';

/** A machine in a folder: the documented paths lie in it, and `moye` runs as a user without rights. */
function openMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'moye-machine-'));
  const at = (path: string) => join(folder, path);
  const owned = (path: string) => chownSync(at(path), user.uid, user.gid);
  for (const path of [
    'etc/systemd/system',
    'usr/local/bin',
    'var/lib/moye',
    'var/backups',
    'opt/moye/deploy',
  ])
    mkdirSync(at(path), { recursive: true });
  // The folder is reachable, and only /var/lib/moye belongs to the user, as systemd creates it.
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  owned('var/lib/moye');
  for (const name of readdirSync(root))
    if (name !== 'deploy') symlinkSync(join(root, name), at(`opt/moye/${name}`));
  const mapped = (text: string): string =>
    text.replaceAll(/(?<![\w./-])\/(?=(?:etc|opt\/moye|usr\/local|var)(?:\/|\b))/g, `${folder}/`);
  for (const { name } of readdirSync(join(root, 'deploy'), { withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )) {
    copyFileSync(join(root, 'deploy', name), at(`opt/moye/deploy/${name}`));
    writeFileSync(at(`opt/moye/deploy/${name}`), mapped(readText(`deploy/${name}`)));
  }
  return {
    at,
    owned,
    mapped,
    run(line: string) {
      const text = mapped(line)
        .replaceAll('-o moye', `-o ${user.uid}`)
        .replaceAll('-g moye', `-g ${user.gid}`);
      const PATH = `${at('usr/local/bin')}:${process.env['PATH']}`;
      const options = { cwd: at('opt/moye'), env: { PATH }, encoding: 'utf8' } as const;
      return spawnSync('bash', ['--norc', '-euc', text], options);
    },
    query(sql: string) {
      const db = new DatabaseSync(at('var/lib/moye/moye.sqlite'));
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

const ID = '64b1f0a2c3d4e5f6a7b8c9d0';
const ENVIRONMENT_FILE = 'etc/moye.env';

// tests/unit/project/docs.test.ts compares both languages.
const run = ['docs/deploy.md', 'docs/operate.zh-CN.md'];
describe.skipIf(process.platform !== 'linux').each(run)('%s', (path) => {
  let machine: ReturnType<typeof openMachine>;
  let article = '';
  beforeAll(() => {
    machine = openMachine();
  });
  afterAll(() => machine.close());

  function expectDone(line: string): void {
    const { status, stdout, stderr } = machine.run(line);
    expect({ line, status, stdout, stderr }).toMatchObject({ status: 0, stderr: '' });
  }

  /** The installation of docs/deploy.md, and a site with an article, as if the server had run. */
  function install(): void {
    if (path.includes('operate'))
      for (const line of commandsOf('docs/deploy.md').slice(0, 7)) if (runs(line)) expectDone(line);
  }
  function begin(): void {
    mkdirSync(machine.at('opt/moye/articles'));
    writeFileSync(machine.at('opt/moye/articles/a.md'), '---\ntitle: 山\n---\n\n空山不见人\n');
    for (const name of ['墨客', '小周', '广告商', ...(path.includes('operate') ? [] : ['王维'])])
      expectDone(`moye user add ${name} --generate`);
    expectDone('moye import markdown articles --author 墨客');
    article = String(machine.query('select id from articles')[0]?.['id']);
    writeFileSync(machine.at('opt/moye/old.csv'), `/old/1.html,${article}\n`);
  }
  const runs = (line: string): boolean => RUN.some((pattern) => pattern.test(line));

  /** Follows the instructions between the commands. */
  function prepare(line: string): void {
    const [, archive = ''] = /^moye restore (\S+)/.exec(line) ?? [];
    if (archive === '') return;
    const [made = ''] = readdirSync(machine.at('var/backups/moye'));
    expectDone(`mv -n /var/backups/moye/${made} ${archive}`);
  }
  function follow(line: string): void {
    if (!line.endsWith('/etc/moye-passphrase') || !line.startsWith('install')) return;
    writeFileSync(machine.at('etc/moye-passphrase'), `${PASSPHRASE}\n`);
  }

  test('runs as written', { tags: ['long'] }, () => {
    install();
    for (const { language, lines } of blocksOf(path)) {
      if (language === 'sql') for (const sql of lines) machine.query(sql);
      const isFile = lines.every(isSetting);
      if (isFile)
        writeFileSync(machine.at(ENVIRONMENT_FILE), machine.mapped(`${lines.join('\n')}\n`), { flag: 'a' });
      if (isFile || language !== 'sh') continue;
      for (const line of lines.filter(runs)) {
        if (line.startsWith('moye') && article === '') begin();
        prepare(line);
        expectDone(line.replace(ID, article));
        follow(line);
      }
    }
    // The code folder belongs to root, and no command has begun a site in it.
    expect(readdirSync(machine.at('opt/moye'))).not.toContain('data');
    // No package manager has run with the data folder as its home.
    expect(readdirSync(machine.at('var/lib/moye'))).not.toContain('.npm');
    for (const name of readdirSync(machine.at('var/backups/moye'))) {
      const { uid, mode } = statSync(machine.at(`var/backups/moye/${basename(name)}`));
      expect([name, uid, (mode & 0o777).toString(8)]).toEqual([name, user.uid, '600']);
    }
    expect(readFileSync(machine.at(ENVIRONMENT_FILE), 'utf8')).toMatch(
      /^SMTP_FROM=墨页 <blog@example\.com>$/m,
    );
  });
});
