import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { parseEnvironmentFile } from '../../../tools/environment-file.mjs';

const CASES: [text: string, settings: Record<string, string>][] = [
  ['SMTP_FROM=墨页 <blog@example.com>', { SMTP_FROM: '墨页 <blog@example.com>' }],
  ['URL=smtps://a&b:p#w?d@host:465/?x=1;y', { URL: 'smtps://a&b:p#w?d@host:465/?x=1;y' }],
  ['A=1 # part of the value', { A: '1 # part of the value' }],
  ['# comment\n; comment\n  # comment\nA=1', { A: '1' }],
  ['A="a # b"\nB=\'c "d" e\'', { A: 'a # b', B: 'c "d" e' }],
  ['A="a"  \'b\'c', { A: 'abc' }],
  ['A="a" # b', { A: 'a# b' }],
  ['A=a"b c"d\'e', { A: 'a"b c"d\'e' }],
  ['A="\\"\\\\\\`\\n"', { A: '"\\`\\n' }],
  ['A="one\ntwo"\nB="one\\\ntwo"', { A: 'one\ntwo', B: 'onetwo' }],
  ['A=a\\b\\\\c\\"d', { A: 'ab\\c"d' }],
  ['A=one \\\n  two', { A: 'one   two' }],
  ['A=a\\ \nB=b  \t', { A: 'a ', B: 'b' }],
  ['  A = b = c', { A: 'b = c' }],
  ['A=\nB=\n\nC', { A: '', B: '' }],
  ['export A=1\n1A=1\nÄ=1\nA-B=1\nC=2', { C: '2' }],
  ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['A=1\nA=2', { A: '2' }],
  ['A="unfinished\nB=1', { A: 'unfinished\nB=1' }],
  ["A='unfinished\nB=1", { A: 'unfinished\nB=1' }],
  ['A=x \\', { A: 'x ' }],
  ['', {}],
];

test.each(CASES)('%j is parsed as by systemd', (text, settings) => {
  expect(parseEnvironmentFile(text)).toEqual(settings);
});

test('a backslash does not continue a comment, as since systemd 254', () => {
  expect(parseEnvironmentFile('# comment \\\nA=1')).toEqual({ A: '1' });
});

test('a dollar is not expanded', () => {
  expect(parseEnvironmentFile('A=$B${C}\nD="$E"\nF="\\$G"\nH=\'$I\'')).toEqual({
    A: '$B${C}',
    D: '$E',
    F: '$G',
    H: '$I',
  });
});

test('Node’s parser reads such files differently', () => {
  const differing = CASES.filter(
    ([text, settings]) => JSON.stringify(parseEnv(text)) !== JSON.stringify(settings),
  );
  expect(differing.length).toBeGreaterThan(5);
});

// This program of systemd has the same parser; unlike EnvironmentFile=, it expands variables.
const SYSTEMD = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';
test.skipIf(!existsSync(SYSTEMD))('systemd agrees', () => {
  const home = mkdtempSync(join(tmpdir(), 'moye-environment-'));
  const folder = join(home, 'environment.d');
  mkdirSync(folder);
  try {
    for (const [text, settings] of CASES) {
      if (Object.values(settings).some((value) => value.includes('\n'))) continue;
      writeFileSync(join(folder, 'a.conf'), text);
      const { stdout } = spawnSync(SYSTEMD, { env: { XDG_CONFIG_HOME: home }, encoding: 'utf8' });
      // It prints assignments that a shell reads, except for line breaks.
      const script = `${stdout}\nprintf '%s\\0' ${Object.keys(settings)
        .map((name) => `"$${name}"`)
        .join(' ')}`;
      const printed = spawnSync('bash', ['-c', script], { env: {}, encoding: 'utf8' }).stdout;
      if (Object.keys(settings).length > 0)
        expect(printed.split('\0').slice(0, -1), text).toEqual(Object.values(settings));
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});
