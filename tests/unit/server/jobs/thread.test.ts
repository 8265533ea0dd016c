import { expect, test } from 'vitest';
import { startThread } from '../../../../src/lib/server/jobs/thread.ts';

const ANSWERS = new URL('../../../../src/lib/server/jobs/answer-requests.ts', import.meta.url).href;
/** Starts a thread that answers with `answer`, an expression over `request` and `call`. */
const start = (answer: string) =>
  startThread<{ name: string }, unknown>(
    new URL(
      `data:text/javascript,${encodeURIComponent(
        `import { answerRequests } from '${ANSWERS}'; answerRequests(async (request, call) => ${answer});`,
      )}`,
    ),
  );

test('a failed request rejects with its message and code, and the thread answers the next', async () => {
  const thread = start(
    "request.name === '坏' ? Promise.reject(Object.assign(new Error('磁盘已满'), { code: 'ENOSPC' })) : request.name",
  );
  await expect(thread.request({ name: '坏' })).rejects.toMatchObject({ message: '磁盘已满', code: 'ENOSPC' });
  expect(await thread.request({ name: '好' })).toBe('好');
  await thread.stop();
});

test('a thread that ends by itself rejects its request', async () => {
  await expect(start('process.exit()').request({ name: '' })).rejects.toThrow('the worker thread ended');
});

test('aborting a thread aborts the signal of its request', async () => {
  const thread = start(
    "(call.started(), new Promise((resolve) => call.signal.addEventListener('abort', () => resolve('中止'))))",
  );
  expect(await thread.request({ name: '' }, { onStarted: () => thread.abort() })).toBe('中止');
  await thread.stop();
});
