import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHistory, readGitDates } from '../../../../src/lib/importers/folder/git-dates.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'moye-git-')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const git = (day: string, ...words: string[]) =>
  execFileSync('git', ['-C', place, '-c', 'user.name=甲', '-c', 'user.email=a@b.c', ...words], {
    env: { ...process.env, GIT_AUTHOR_DATE: `${day}T00:00:00Z`, GIT_COMMITTER_DATE: '2024-12-31T00:00:00Z' },
  });
function commit(day: string): void {
  git(day, 'add', '-A');
  git(day, 'commit', '-qm', day);
}
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

test('a file has the dates of its first and last commit, through renames, within its folder only', async () => {
  git('2020-01-01', 'init', '-q');
  mkdirSync(join(place, 'posts'));
  writeFileSync(join(place, 'posts', 'old.md'), '一\n二\n三\n四\n');
  writeFileSync(join(place, 'posts', 'b.md'), '乙');
  writeFileSync(join(place, 'README.md'), '外面');
  commit('2020-01-01');
  renameSync(join(place, 'posts', 'old.md'), join(place, 'posts', '新 名.md'));
  commit('2021-02-03');
  // A different file at the path of the renamed one.
  writeFileSync(join(place, 'posts', 'old.md'), '另一个，和从前的没有关系');
  commit('2022-03-04');
  writeFileSync(join(place, 'posts', '新 名.md'), '一\n二\n三\n四\n五\n');
  writeFileSync(join(place, 'posts', 'untracked.md'), '没有提交');
  git('2023-04-05', 'commit', '-qam', '改');
  const { dates, warning } = await readGitDates(join(place, 'posts'));
  expect(warning).toBeNull();
  expect(Object.fromEntries(dates)).toEqual({
    '新 名.md': { first: day('2020-01-01'), last: day('2023-04-05') },
    'old.md': { first: day('2022-03-04'), last: day('2022-03-04') },
    'b.md': { first: day('2020-01-01'), last: day('2020-01-01') },
  });
});

test('without a repository there are no dates and no warnings', async () => {
  expect(await readGitDates(place)).toEqual({ dates: new Map(), warning: null });
});

test('a shallow clone is reported', async () => {
  git('2020-01-01', 'init', '-q');
  writeFileSync(join(place, 'a.md'), '甲');
  commit('2020-01-01');
  writeFileSync(join(place, 'a.md'), '甲改');
  commit('2021-01-01');
  const clone = join(place, 'clone');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${place}`, clone]);
  const { dates, warning } = await readGitDates(clone);
  expect(dates.get('a.md')?.first).toBe(day('2021-01-01'));
  expect(warning).toContain('浅克隆');
});

test('no program configured in a repository is run', async () => {
  git('2020-01-01', 'init', '-q');
  writeFileSync(join(place, 'a.md'), '甲');
  commit('2020-01-01');
  const trap = join(place, 'ran');
  for (const name of ['core.fsmonitor', 'core.pager', 'gpg.program', 'diff.external', 'core.sshCommand'])
    git('2020-01-01', 'config', name, `touch ${trap}`);
  git('2020-01-01', 'config', 'log.showSignature', 'true');
  expect((await readGitDates(place)).dates.size).toBe(1);
  expect(existsSync(trap)).toBe(false);
});

test('no program for fetching missing objects is run', async () => {
  git('2020-01-01', 'init', '-q');
  const lines = Array.from({ length: 9 }, (_, at) => `第 ${at} 行\n`).join('');
  writeFileSync(join(place, 'a.md'), lines);
  commit('2020-01-01');
  const blob = git('2020-01-01', 'rev-parse', 'HEAD:a.md').toString().trim();
  renameSync(join(place, 'a.md'), join(place, 'b.md'));
  writeFileSync(join(place, 'b.md'), `${lines}又一行`);
  commit('2021-01-01');
  // A partial clone: comparing the renamed file requests the missing blob from the remote.
  rmSync(join(place, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  const trap = join(place, 'ran');
  const settings = {
    'core.repositoryformatversion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'remote.origin.url': `ext::touch ${trap}`,
    'protocol.ext.allow': 'always',
  };
  for (const [name, value] of Object.entries(settings)) git('2021-01-01', 'config', name, value);
  await readGitDates(place);
  expect(existsSync(trap)).toBe(false);
});

test('the history is read in chunks of any size', () => {
  const text = '\x0120\0\nM\0a.md\0R100\0b.md\0c.md\0\0\x0110\0\nA\0a.md\0A\0b.md\0';
  for (const size of [1, 3, 1000]) {
    const history = createHistory();
    for (let at = 0; at < text.length; at += size) history.take(text.slice(at, at + size));
    history.end();
    expect(Object.fromEntries(history.dates)).toEqual({
      'a.md': { first: 10_000, last: 20_000 },
      'c.md': { first: 10_000, last: 20_000 },
    });
  }
});
