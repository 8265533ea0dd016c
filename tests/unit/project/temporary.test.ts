import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from '../../../tools/project.mjs';

const SCRIPT = `import { makeTemporaryFolder } from ${JSON.stringify(inRoot('tools', 'temporary.mjs'))};
import { existsSync } from 'node:fs';
const folder = makeTemporaryFolder();
console.log(JSON.stringify(folder === undefined ? null : [folder, existsSync(folder)]));`;

const makeFolder = () =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' })) as
    [folder: string, exists: boolean] | null;

test('the folder for the files of tests exists until the process exits', () => {
  const made = makeFolder();
  expect(made === null || (made[1] && !existsSync(made[0]))).toBe(true);
});

test.runIf(makeFolder() !== null)('a folder left by a killed process is removed, others stay', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const [left, own] = [pid, process.ppid].map((id) => `/dev/shm/moye-tests-${id}`) as [string, string];
  const isOwn = existsSync(own);
  mkdirSync(left);
  makeFolder();
  expect(existsSync(left)).toBe(false);
  expect(existsSync(own)).toBe(isOwn);
});
