import { describe, expect, test } from 'vitest';
import { CallError } from '../../../../src/lib/client/call-error.ts';
import {
  charactersLeft,
  openDraft,
  type CommentFields,
  type DraftStorages,
} from '../../../../src/lib/stores/comments/comment-draft.ts';

const KEY = 'moye-comment:article:reader';
const TARGET = { id: '1', user: '王维', content: '空山新雨后' };

/** A browser's storages: one shared by all tabs, one per tab. */
function openBrowser() {
  const shared = memory();
  return { tab: (own = memory()): DraftStorages => ({ tab: () => own, browser: () => shared }), shared };
}

function memory(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    get length() {
      return items.size;
    },
  } as Storage;
}

const fail = (kind: CallError['kind'], sentence: string) => () =>
  Promise.reject(new CallError(kind, sentence));
const unreachable = fail('unreachable', '网络不通，请检查网络后再试');

/** Sends the content of `draft` to a server that never responds; returns what it received. */
async function lose(draft: ReturnType<typeof openDraft>): Promise<CommentFields> {
  const arrived: CommentFields[] = [];
  await draft.send((fields) => {
    arrived.push(fields);
    return unreachable();
  });
  return arrived[0] as CommentFields;
}

describe('typed text', () => {
  test('survives a reload', () => {
    const storages = openBrowser().tab();
    openDraft(KEY, storages).write('写到一半');
    expect(openDraft(KEY, storages).$draft.get().text).toBe('写到一半');
  });

  test('is available in a new tab after the old one was closed', () => {
    const browser = openBrowser();
    openDraft(KEY, browser.tab()).write('写到一半');
    expect(openDraft(KEY, browser.tab()).$draft.get().text).toBe('写到一半');
  });

  test('of two tabs survives a reload in each', () => {
    const browser = openBrowser();
    const [first, second] = [browser.tab(), browser.tab()];
    openDraft(KEY, first).write('甲');
    openDraft(KEY, second).write('乙');
    expect(openDraft(KEY, first).$draft.get().text).toBe('甲');
    expect(openDraft(KEY, second).$draft.get().text).toBe('乙');
  });

  test('is removed once published, here and in new tabs', async () => {
    const browser = openBrowser();
    const storages = browser.tab();
    const draft = openDraft(KEY, storages);
    draft.write('写完了');
    expect(await draft.send(() => Promise.resolve('done'))).toBe('done');
    expect(draft.$draft.get()).toEqual({ text: '', isSending: false, problem: '' });
    expect(openDraft(KEY, storages).$draft.get().text).toBe('');
    expect(openDraft(KEY, browser.tab()).$draft.get().text).toBe('');
  });

  test('in another tab is kept when this one publishes something else', async () => {
    const browser = openBrowser();
    const draft = openDraft(KEY, browser.tab());
    draft.write('甲');
    openDraft(KEY, browser.tab()).write('乙');
    await draft.send(() => Promise.resolve('done'));
    expect(openDraft(KEY, browser.tab()).$draft.get().text).toBe('乙');
  });

  test('leaves nothing behind when it is deleted by hand', () => {
    const browser = openBrowser();
    const draft = openDraft(KEY, browser.tab());
    draft.write('甲');
    draft.write('');
    expect(browser.shared.length).toBe(0);
  });

  test.each([
    ['refused', ''],
    ['unreachable', '网络不通'],
    ['fault', '网络不通'],
    ['signed-out', '网络不通'],
  ] as const)('stays when the call is %s', async (kind, problem) => {
    const storages = openBrowser().tab();
    const draft = openDraft(KEY, storages);
    draft.write('别丢了');
    expect(await draft.send(fail(kind, '网络不通'))).toBeNull();
    const kept = { text: '别丢了', isSending: false, problem };
    expect(draft.$draft.get()).toEqual(kept);
    expect(openDraft(KEY, storages).$draft.get()).toEqual({ ...kept, problem: '' });
  });

  test.each([
    [
      'forbids storage',
      () => {
        throw new Error('SecurityError');
      },
    ],
    [
      'has no room left',
      () =>
        ({
          getItem: () => null,
          setItem: () => {
            throw new Error('QuotaExceededError');
          },
          removeItem: () => undefined,
        }) as unknown as Storage,
    ],
  ])('can be sent in a browser that %s', async (_, place) => {
    const draft = openDraft(KEY, { tab: place, browser: place });
    draft.write('没处存');
    expect(draft.$draft.get().text).toBe('没处存');
    expect(await draft.send(({ content }) => Promise.resolve(content))).toBe('没处存');
    expect(draft.$draft.get().text).toBe('');
  });

  test.each(['', 'null', '[]', '{"text":1}', '{"text":"x","seed":"<b>"}', '{"text":"x'])(
    'is nothing where somebody has written %s into the storage',
    (value) => {
      const browser = openBrowser();
      browser.shared.setItem(KEY, value);
      expect(openDraft(KEY, browser.tab()).$draft.get()).toMatchObject({ text: '' });
    },
  );
});

describe('the same comment', () => {
  test('keeps its request id until the server has answered, also across a reload', async () => {
    const storages = openBrowser().tab();
    const draft = openDraft(KEY, storages);
    draft.write('只要一条');
    const first = await lose(draft);
    draft.write('改了又');
    draft.write('只要一条 ');
    const second = await lose(openDraft(KEY, storages));
    expect(second).toEqual(first);
    expect(first.request_id.length).toBeLessThanOrEqual(100);
  });

  test('with another text or target is another request', async () => {
    const storages = openBrowser().tab();
    const ids = new Set<string>();
    for (const [text, target] of [
      ['甲', null],
      ['乙', null],
      ['甲', TARGET],
      ['甲', { ...TARGET, user: '李白' }],
    ] as const) {
      const draft = openDraft(KEY, storages, target);
      draft.write(text);
      ids.add((await lose(draft)).request_id);
    }
    expect(ids.size).toBe(4);
  });

  test('written again after the response is a new one', async () => {
    const draft = openDraft(KEY, openBrowser().tab());
    const send = () => draft.send(({ request_id }) => Promise.resolve(request_id));
    draft.write('顶');
    const first = await send();
    draft.write('顶');
    expect(await send()).not.toBe(first);
  });

  test('is sent once, however often the button is pressed', async () => {
    const draft = openDraft(KEY, openBrowser().tab());
    draft.write('一次');
    let calls = 0;
    const create = () => Promise.resolve(++calls);
    expect(await Promise.all([draft.send(create), draft.send(create), draft.send(create)])).toEqual([
      1,
      null,
      null,
    ]);
  });
});

describe('bounds', () => {
  test.each([
    ['', '请填写评论'],
    [' \n\t ', '请填写评论'],
    ['好'.repeat(2001), '评论不能超过 2000 个字符'],
  ])('%# is not sent', async (text, problem) => {
    const draft = openDraft(KEY, openBrowser().tab());
    draft.write(text);
    expect(await draft.send(() => Promise.reject(new Error('sent')))).toBeNull();
    expect(draft.$draft.get()).toMatchObject({ text, problem });
    draft.write(`${text}好`);
    expect(draft.$draft.get().problem).toBe('');
  });

  test('an emoji is one character, and white space at the ends is not counted', async () => {
    expect(charactersLeft(`  ${'😀'.repeat(1999)}\n`)).toBe(1);
    const draft = openDraft(KEY, openBrowser().tab());
    draft.write(`${'😀'.repeat(2000)}\n`);
    expect(await draft.send(({ content }) => Promise.resolve(content))).toBe('😀'.repeat(2000));
  });
});

test('a return from the sign-in page while sending is recognised once', async () => {
  const storages = openBrowser().tab();
  const draft = openDraft(KEY, storages);
  draft.write('登录超时的时候');
  await draft.send(fail('signed-out', '请重新登录'));
  const back = openDraft(KEY, storages);
  expect([back.wasInterrupted(), back.wasInterrupted()]).toEqual([true, false]);
  expect(openDraft(KEY, storages).wasInterrupted()).toBe(false);
});
