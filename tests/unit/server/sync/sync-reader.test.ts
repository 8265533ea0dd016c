import { afterEach, describe, expect, test } from 'vitest';
import { readSyncedFile } from '../../../../src/lib/server/articles/sync/read-synced-file.ts';
import { createSyncReader } from '../../../../src/lib/server/articles/sync/sync-reader.ts';
import { createNames } from '../../../../src/lib/dialects/obsidian/names.ts';

const ANSWERS = new URL('../../../../src/lib/server/jobs/answer-requests.ts', import.meta.url).href;
const scriptOf = (answer: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { answerRequests } from '${ANSWERS}'; answerRequests((request, { started }) => { started(); ${answer} });`,
    )}`,
  );

let reader: ReturnType<typeof createSyncReader> | undefined;
afterEach(async () => {
  await reader?.close();
  reader = undefined;
});

const ask = (text: string) => {
  reader ??= createSyncReader();
  return reader.read(
    { bytes: Buffer.from(text), path: 'a/b.md', isVault: true, articles: ['c.md'], pictures: [], now: 0 },
    'author',
  );
};

describe('a file of an author', () => {
  test('is read in a thread, while this one goes on', async () => {
    let rounds = 0;
    let ticking = setImmediate(function tick() {
      rounds++;
      ticking = setImmediate(tick);
    });
    expect((await ask('[a](1.md) '.repeat(500))).needs).toEqual(['a/1.md']);
    clearImmediate(ticking);
    expect(rounds).toBeGreaterThan(20);
  });

  test('that takes too long is refused, and the next one is read', async () => {
    reader = createSyncReader({
      script: scriptOf("if (request.bytes[0] === 120) for (;;); return { file: { notes: ['读到了'] } };"),
      timeoutMs: 50,
    });
    const [late, next] = await Promise.allSettled([ask('x'), ask('y')]);
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'CONTENT_TOO_COMPLEX' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: { notes: ['读到了'] } });
  });

  test('that takes too much memory is refused', async () => {
    reader = createSyncReader({
      script: scriptOf('for (const all = [];;) all.push(Array(10_000).fill({}));'),
    });
    await expect(ask('x')).rejects.toMatchObject({ code: 'CONTENT_TOO_COMPLEX' });
  });
});

describe('the text of a file', () => {
  const read = (text: string) =>
    readSyncedFile(Buffer.from(text), 'a/b.md', {
      isVault: true,
      names: { articles: createNames([]), pictures: createNames([]) },
      now: 0,
    });

  test('longer than an article is refused before it is inspected', () => {
    // Inspecting it would overflow the stack, with another message.
    expect(() => read('> '.repeat(300_000))).toThrow('正文不能超过 200000 个字符');
  });

  test('may link to two thousand files', () => {
    const links = (count: number) => Array.from({ length: count }, (_, at) => `[a](${at}.md)`).join(' ');
    expect(read(links(2_000)).needs).toHaveLength(2_000);
    expect(() => read(links(2_001))).toThrow('正文链接的文件不能超过 2000 个');
  });

  test('with one link ten thousand times needs one file, and says so once', () => {
    const { needs, notes } = read('[[a]] '.repeat(10_000));
    expect(needs).toEqual(['[[a]]']);
    expect(notes).toHaveLength(1);
  });

  test('with thousands of lost links names a hundred of them', () => {
    const { notes } = read(Array.from({ length: 1_500 }, (_, at) => `[[${at}]]`).join(' '));
    expect(notes).toHaveLength(101);
    expect(notes.at(-1)).toBe('还有 1400 条说明没有列出');
  });
});
