import { spawn, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-files.ts';

const CHILD = pathToFileURL(join(root, 'tools', 'child.mjs')).href;

/** A script that replaces its process with `node -e print`, and prints a line if it survives. */
const script = (print: string) =>
  `import { replaceProcess } from '${CHILD}';
   replaceProcess(process.execPath, ['-e', ${JSON.stringify(print)}], { ...process.env, GIVEN: '1' });
   console.log('went on');`;

test.skipIf(process.platform === 'win32')(
  'a program takes the place of the process that starts it',
  async () => {
    const print = 'console.log(JSON.stringify([process.pid, process.cwd(), process.env.GIVEN]))';
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(print)], { cwd: tmpdir() });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    await new Promise((resolve) => child.once('close', resolve));
    expect(output).toBe(`${JSON.stringify([child.pid, realpathSync(root), '1'])}\n`);
  },
);

test.skipIf(process.platform === 'win32')('the program can run in another folder', () => {
  const print = `import { replaceProcess } from '${CHILD}';
    replaceProcess(process.execPath, ['-p', 'process.cwd()'], process.env, ${JSON.stringify(tmpdir())});`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', print], { encoding: 'utf8' });
  expect(stdout).toBe(`${realpathSync(tmpdir())}\n`);
});

test('the process goes on where it cannot be replaced', () => {
  const args = ['--input-type=module', '-e', `delete process.execve;${script('')}`];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toBe('went on\n');
});
