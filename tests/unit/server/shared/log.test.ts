import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { redactUrl } from '../../../../src/lib/server/shared/log.ts';

const LOG = new URL('../../../../src/lib/server/shared/log.ts', import.meta.url).href;
const BEGIN = `const { createLog, flushLog } = await import(${JSON.stringify(LOG)}); const log = createLog('info');`;

/** Starts a process that runs `script` with a logger. */
const run = (script: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', `${BEGIN} ${script}`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });

const messages = (log: string) =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test.each([
  ['exits', 'process.exit(3)'],
  ['throws what nobody catches', "throw new Error('down')"],
  [
    'has a promise rejected that nobody waits for',
    "void Promise.reject(new Error('down')); setTimeout(() => {}, 60_000)",
  ],
  ['has nothing left to do', ''],
])('nothing of the log is lost when the process %s', async (_, end) => {
  const { stdout } = run(`for (let line = 0; line < 2_000; line++) log.info({ line }, '行'); ${end}`);
  const lines = messages(await text(stdout)).map(({ line }) => Number(line));
  // If the process exits while another thread is still writing, those lines may follow the last ones.
  const read = end === '' ? lines : lines.toSorted((a, b) => a - b);
  expect(read).toEqual(Array.from({ length: 2_000 }, (_, at) => at));
});

test('log lines are written while the process runs', async () => {
  const child = run("log.info('早'); process.stdin.on('data', () => log.info('晚')).on('end', () => {})");
  const lines = child.stdout[Symbol.asyncIterator]();
  expect(messages(String((await lines.next()).value))).toMatchObject([{ msg: '早' }]);
  child.stdin.write('go on');
  expect(messages(String((await lines.next()).value))).toMatchObject([{ msg: '晚' }]);
  child.stdin.end();
  expect((await lines.next()).done).toBe(true);
});

test('unread log lines use bounded memory, and the number of dropped lines is logged', async () => {
  const { stdout } = run(
    "for (let line = 0; line < 40; line++) log.info({ line, text: 'x'.repeat(1_000_000) }); await flushLog(log); await flushLog(log)",
  );
  const read = messages(await text(stdout));
  const kept = read.filter(({ line }) => line !== undefined);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length).toBeLessThan(18);
  expect(read.filter(({ lost }) => lost !== undefined).map(({ lost }) => lost)).toEqual([40 - kept.length]);
});

const TICKET = 'Zk3v-9QmX_2bLr7TtYwP0aCsDf5GhJk8NqRuVxE1iOo';

test.each([
  [`/api/file/export/${TICKET}`, '/api/file/export/[redacted]'],
  [`/api/file/export/${TICKET}?x`, '/api/file/export/[redacted]?x'],
  [`/api/file/export/${TICKET.replace('Z', '%5A')}`, '/[redacted]'],
  [`/reset/${TICKET}`, '/reset/[redacted]'],
  [`/verify?${TICKET}`, '/verify?[redacted]'],
  [`/unsubscribe?token=user.${TICKET}`, '/unsubscribe?token=[redacted]'],
  ['/signup?invite=K7PQ-2M4N', '/signup?invite=[redacted]'],
  ['/api/oauth/github/callback?code=c0de&state=s', '/api/oauth/github/callback?code=[redacted]&state=s'],
  [`/api/x?ticket=${TICKET}&page=2`, '/api/x?ticket=[redacted]&page=2'],
])('a one-time secret in %s is not logged', (url, logged) => {
  expect(redactUrl(url)).toBe(logged);
});

test.each([
  '/detail/65f0c0ffee65f0c0ffee65f0',
  '/api/file/image/0123456789abcdef0123456789abcdef.png?v=640.webp',
  '/2019/05/how-to-write-a-very-long-address-that-has-more-than-43-characters.html',
  '/home/%E5%B1%B1?page=2',
])('%s is logged as it is', (url) => {
  expect(redactUrl(url)).toBe(url);
});
