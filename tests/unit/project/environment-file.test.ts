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

/** Returns the values that systemd reads from a file for the names. */
function readBySystemd(text: string, names: readonly string[]): string[] {
  const home = mkdtempSync(join(tmpdir(), 'moye-environment-'));
  mkdirSync(join(home, 'environment.d'));
  writeFileSync(join(home, 'environment.d', 'a.conf'), text);
  const { stdout } = spawnSync(SYSTEMD, { env: { XDG_CONFIG_HOME: home }, encoding: 'utf8' });
  rmSync(home, { recursive: true });
  // It prints assignments that a shell reads, except for line breaks.
  const print = names.map((name) => `printf '%s\\0' "$${name}"`);
  const script = [stdout, ...print].join('\n');
  return spawnSync('bash', ['-c', script], { env: {}, encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
}

const isOneLine = ([, settings]: (typeof CASES)[number]): boolean =>
  !Object.values(settings).some((value) => value.includes('\n'));

test.skipIf(!existsSync(SYSTEMD)).each(CASES.filter(isOneLine))('systemd agrees on %j', (text, settings) => {
  expect(readBySystemd(text, Object.keys(settings))).toEqual(Object.values(settings));
});
