import { afterEach, describe, expect, test, vi } from 'vitest';
import { refusal } from '../../../src/lib/contract/rules/errors.ts';
import { createRenderer, SITE_OWNER } from '../../../src/lib/server/articles/rendering/renderer.ts';
import type { StartThread } from '../../../src/lib/server/articles/rendering/render-thread.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const TOO_MANY = { code: 'UNAVAILABLE', status: 503, message: '等待排版的文章太多，请稍后再试' };

/** A renderer whose threads the test controls, and its events: `+` started, `-` stopped, `=` ended. */
function createStage() {
  const events: string[] = [];
  const running = new Map<string, { finish(): void; fail(error: Error): void; onLong(): void }>();
  let threads = 0;
  const start: StartThread = ({ onEnd }) => {
    threads++;
    let stopCurrent: ((reason: Error) => void) | undefined;
    return {
      render: (source, onLong) =>
        new Promise((resolve, reject) => {
          events.push(`+${source}`);
          const end = (work: () => void) => () => {
            running.delete(source);
            stopCurrent = undefined;
            work();
          };
          running.set(source, {
            finish: end(() =>
              resolve({ html: source, toc: [], summary: '', text: '', attributes: '', words: 0 }),
            ),
            fail: (error) => end(() => reject(error))(),
            onLong,
          });
          stopCurrent = (reason) => {
            events.push(`-${source}`);
            running.get(source)?.fail(reason);
          };
        }),
      async stop(reason) {
        threads--;
        onEnd();
        stopCurrent?.(reason);
      },
    };
  };
  const renderer = createRenderer({ start });
  const outcomes: string[] = [];
  const of = (source: string) => {
    const found = running.get(source);
    if (!found) throw new Error(`${source} is not being rendered`);
    return found;
  };
  return {
    events,
    outcomes,
    renderer,
    threads: () => threads,
    running: () => [...running.keys()],
    /** Sends articles of `owner`, each named by owner and number. */
    send(owner: string, ...numbers: number[]) {
      for (const number of numbers) {
        const name = `${owner}${number}`;
        void renderer.render(name, owner).then(
          () => outcomes.push(`${name} done`),
          (error: { code?: string; message: string }) =>
            outcomes.push(`${name} ${error.code ?? error.message}`),
        );
      }
    },
    async finish(source: string) {
      of(source).finish();
      await settle();
    },
    async fail(source: string, error: Error) {
      of(source).fail(error);
      await settle();
    },
    async takesLong(source: string) {
      of(source).onLong();
      await settle();
    },
  };
}

let stage: ReturnType<typeof createStage>;
afterEach(async () => {
  await stage.renderer.close();
  vi.useRealTimers();
});

describe('authors take turns', () => {
  test('an author of one article waits for one of each other author', async () => {
    stage = createStage();
    stage.send('甲', 1, 2, 3);
    stage.send('乙', 1, 2);
    stage.send('丙', 1);
    await settle();
    for (let n = 0; n < 6; n++) await stage.finish(stage.running()[0] ?? '');
    expect(stage.events).toEqual(['+甲1', '+甲2', '+乙1', '+丙1', '+甲3', '+乙2']);
  });

  test('a long article continues in the lane for long renders, and short ones overtake it', async () => {
    stage = createStage();
    stage.send('甲', 1, 2);
    stage.send('乙', 1);
    await settle();
    await stage.takesLong('甲1');
    // 甲 waits for the slot for long articles, behind the one that occupies it.
    expect(stage.running()).toEqual(['甲1', '乙1']);
    await stage.finish('乙1');
    stage.send('丙', 1);
    await settle();
    await stage.finish('丙1');
    await stage.finish('甲1');
    expect(stage.running()).toEqual(['甲2']);
    await stage.finish('甲2');
    expect(stage.outcomes).toEqual(['乙1 done', '丙1 done', '甲1 done', '甲2 done']);
    expect(stage.events.filter((event) => event.startsWith('-'))).toEqual([]);
    expect(stage.threads()).toBe(2);
  });

  test('a second long article is stopped and restarts in that lane when it is free', async () => {
    stage = createStage();
    stage.send('甲', 1);
    stage.send('乙', 1);
    stage.send('丙', 1);
    await settle();
    await stage.takesLong('甲1');
    await stage.takesLong('乙1');
    expect(stage.events).toEqual(['+甲1', '+乙1', '-乙1', '+丙1']);
    await stage.finish('丙1');
    await stage.finish('甲1');
    expect(stage.running()).toEqual(['乙1']);
    await stage.takesLong('乙1');
    await stage.finish('乙1');
    expect(stage.outcomes).toEqual(['丙1 done', '甲1 done', '乙1 done']);
  });

  test('five authors with many slow articles each delay a short article by one short turn each', async () => {
    stage = createStage();
    const bombers = ['甲', '乙', '丙', '丁', '戊'];
    for (const bomber of bombers) stage.send(bomber, 1, 2, 3, 4);
    stage.send('路人', 1);
    await settle();
    for (const bomber of bombers) await stage.takesLong(`${bomber}1`);
    expect(stage.running()).toEqual(['甲1', '路人1']);
    await stage.finish('路人1');
    // None of them gets the short slot again.
    stage.send('路人', 2);
    await settle();
    expect(stage.running()).toEqual(['甲1', '路人2']);
  });

  test('a text known to be slow starts in the lane for long renders', async () => {
    stage = createStage();
    void stage.renderer.render('[]]'.repeat(40_000), '甲').catch(() => undefined);
    await settle();
    stage.send('乙', 1);
    await settle();
    expect(stage.running()).toHaveLength(2);
  });
});

describe('the queue is bounded', () => {
  test('eight short and four long articles per author, then 503 with Retry-After', async () => {
    stage = createStage();
    stage.send('甲', 1, 2, 3, 4, 5, 6, 7, 8, 9);
    await expect(stage.renderer.render('甲的第十篇', '甲')).rejects.toMatchObject({
      ...TOO_MANY,
      retryAfter: 5,
    });
    await stage.takesLong('甲1');
    // One after another they move to the long queue; those for which it has no space are refused.
    expect(stage.outcomes).toEqual([6, 7, 8, 9].map((n) => `甲${n} UNAVAILABLE`));
    await expect(stage.renderer.render('甲又一篇', '甲')).rejects.toMatchObject({
      ...TOO_MANY,
      retryAfter: 20,
    });
    stage.send('乙', 1);
    await settle();
    await stage.finish('乙1');
    expect(stage.outcomes.at(-1)).toBe('乙1 done');
  });

  test('64 short articles of all authors; a new author replaces the last of the author with most', async () => {
    stage = createStage();
    for (let author = 0; author < 9; author++) stage.send(`作者${author}-`, 1, 2, 3, 4, 5, 6, 7, 8);
    await settle();
    expect(stage.outcomes).toHaveLength(72 - 1 - 64);
    const [refused] = stage.outcomes.splice(0);
    expect(refused).toMatch(/UNAVAILABLE$/);
    stage.send('路人', 1);
    await settle();
    expect(stage.outcomes).toHaveLength(1);
    expect(stage.outcomes[0]).not.toContain('路人');
  });

  test('renders for the site itself are never refused', async () => {
    stage = createStage();
    for (let author = 0; author < 70; author++) stage.send(`作者${author}-`, 1);
    stage.send(SITE_OWNER, 1);
    await settle();
    expect(stage.outcomes).toEqual([64, 65, 66, 67, 68, 69].slice(1).map((n) => `作者${n}-1 UNAVAILABLE`));
    while (stage.running()[0]) await stage.finish(stage.running()[0] ?? '');
    expect(stage.outcomes).toContain(`${SITE_OWNER}1 done`);
  });
});

test('a text sent repeatedly at once is rendered once and takes one slot', async () => {
  stage = createStage();
  const sent = Array.from({ length: 20 }, () => stage.renderer.render('同', '甲'));
  await settle();
  await stage.finish('同');
  expect(new Set(await Promise.all(sent)).size).toBe(1);
  expect(stage.events.filter((event) => event === '+同')).toEqual(['+同']);
});

describe('a refused text', () => {
  test('is refused again without a worker, for any author, and while waiting', async () => {
    stage = createStage();
    const sentence = '正文的标题不能超过 2000 个，请删减或分成几篇';
    const send = (owner: string) =>
      stage.renderer.render('难', owner).then(null, ({ message }: Error) => message);
    const sent = ['甲', '甲', '甲', '乙'].map(send);
    await settle();
    await stage.fail('难', refusal('CONTENT_TOO_COMPLEX', { text: sentence }));
    expect(await Promise.all([...sent, send('丙')])).toEqual(Array.from({ length: 5 }, () => sentence));
    expect(stage.events).toEqual(['+难']);
    stage.send('甲', 1);
    await settle();
    expect(stage.running()).toEqual(['甲1']);
  });

  test.each([
    ['because the machine was busy', refusal('CONTENT_TOO_COMPLEX', { retryAfter: 30 })],
    ['by a fault', new Error('render worker ended')],
  ])('%s is tried again', async (_, error) => {
    stage = createStage();
    stage.send('甲', 1);
    await settle();
    await stage.fail('甲1', error);
    stage.send('甲', 1);
    await settle();
    await stage.finish('甲1');
    expect(stage.outcomes.at(-1)).toBe('甲1 done');
  });
});

test('the second worker exits after an idle minute; one stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stage = createStage();
  stage.send('甲', 1);
  stage.send('乙', 1);
  await settle();
  await stage.takesLong('甲1');
  await stage.finish('乙1');
  await stage.finish('甲1');
  expect(stage.threads()).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(stage.threads()).toBe(1);
  stage.send('丙', 1);
  await settle();
  await stage.finish('丙1');
  expect([stage.threads(), stage.outcomes.at(-1)]).toEqual([1, '丙1 done']);
});

test('the second worker ends though the first is used all the while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stage = createStage();
  stage.send('甲', 1);
  stage.send('乙', 1);
  await settle();
  await stage.takesLong('甲1');
  await stage.finish('乙1');
  await stage.finish('甲1');
  for (let minute = 0; minute < 2; minute++) {
    vi.advanceTimersByTime(50_000);
    stage.send('丙', minute);
    await settle();
    await stage.finish(`丙${minute}`);
  }
  expect(stage.threads()).toBe(1);
  vi.advanceTimersByTime(250_000);
  expect(stage.threads()).toBe(1);
  vi.advanceTimersByTime(50_000);
  expect(stage.threads()).toBe(0);
});
