import { describe, expect, test } from 'vitest';
import type { DraftStorages } from '../../../../src/lib/stores/comments/comment-draft.ts';
import { openDrafts } from '../../../../src/lib/stores/comments/comment-drafts.ts';

const KEY = 'moye-comment:article:reader';
const FIRST = { id: '1', user: '王维', content: '空山新雨后' };
const SECOND = { id: '2', user: '裴迪', content: '天气晚来秋' };

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

function openBrowser() {
  const shared = memory();
  return { tab: (own = memory()): DraftStorages => ({ tab: () => own, browser: () => shared }), shared };
}

describe('answers', () => {
  test('keep their text per comment, next to that of the user’s own comment', () => {
    const storages = openBrowser().tab();
    const drafts = openDrafts(KEY, storages);
    drafts.comment.write('自己的');
    drafts.answerTo(FIRST).write('答一');
    drafts.answer(SECOND);
    drafts.answerTo(SECOND).write('答二');
    const later = openDrafts(KEY, storages);
    expect(later.comment.$draft.get().text).toBe('自己的');
    expect([FIRST, SECOND].map((target) => later.answerTo(target).$draft.get().text)).toEqual([
      '答一',
      '答二',
    ]);
  });

  test('are sent with the user and comment they reply to', async () => {
    const draft = openDrafts(KEY, openBrowser().tab()).answerTo(FIRST);
    draft.write('答一');
    expect(await draft.send((fields) => Promise.resolve(fields))).toMatchObject({
      content: '答一',
      reply_user: FIRST.user,
      reply_content: FIRST.content,
      reply_id: FIRST.id,
    });
  });
});

describe('the open box', () => {
  test('is one at a time', () => {
    const drafts = openDrafts(KEY, openBrowser().tab());
    drafts.answer(FIRST);
    drafts.answer(SECOND);
    expect(drafts.$answered.get()).toEqual(SECOND);
  });

  test('with text is open again after a reload and in a new tab', () => {
    const browser = openBrowser();
    const storages = browser.tab();
    const drafts = openDrafts(KEY, storages);
    drafts.answer(FIRST);
    drafts.answerTo(FIRST).write('写到一半');
    expect(openDrafts(KEY, storages).$answered.get()).toEqual(FIRST);
    expect(openDrafts(KEY, browser.tab()).$answered.get()).toEqual(FIRST);
  });

  test('without text, or closed, stays closed after a reload', () => {
    const storages = openBrowser().tab();
    openDrafts(KEY, storages).answer(FIRST);
    expect(openDrafts(KEY, storages).$answered.get()).toBeNull();
    const drafts = openDrafts(KEY, storages);
    drafts.answer(FIRST);
    drafts.answerTo(FIRST).write('先放着');
    drafts.answer(null);
    const later = openDrafts(KEY, storages);
    expect(later.$answered.get()).toBeNull();
    expect(later.answerTo(FIRST).$draft.get().text).toBe('先放着');
  });

  test('leaves nothing behind once it is closed empty', () => {
    const browser = openBrowser();
    const drafts = openDrafts(KEY, browser.tab());
    drafts.answer(FIRST);
    drafts.answerTo(FIRST).write('甲');
    drafts.answerTo(FIRST).write('');
    drafts.answer(null);
    expect(browser.shared.length).toBe(0);
  });
});

test('a reply stored by an earlier version in its single box is in its own box', () => {
  const browser = openBrowser();
  const kept = { text: '旧的回复', reply: FIRST, seed: 'seed', isInterrupted: false };
  browser.shared.setItem(KEY, JSON.stringify(kept));
  const drafts = openDrafts(KEY, browser.tab());
  expect(drafts.$answered.get()).toEqual(FIRST);
  expect(drafts.answerTo(FIRST).$draft.get().text).toBe('旧的回复');
  expect(drafts.comment.$draft.get().text).toBe('');
});
