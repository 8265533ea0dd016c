import { describe, expect, test } from 'vitest';
import { isSmallChange, waitsForReview } from '../../../src/lib/server/moderation/review/change-size.ts';

const LONG =
  '空山新雨后，天气晚来秋。明月松间照，清泉石上流。竹喧归浣女，莲动下渔舟。随意春芳歇，王孙自可留。'.repeat(
    20,
  );
const isSmall = (before: string, after: string) =>
  isSmallChange({ title: '山居秋暝', text: before }, { title: '山居秋暝', text: after });

describe('a small correction', () => {
  test.each([
    ['nothing', LONG, LONG],
    ['one wrong character', LONG, LONG.replace('清泉', '情泉')],
    ['ten characters added to a long text', LONG, `${LONG}王维写于辋川别业之中`],
    ['punctuation, width and spaces', LONG, LONG.replaceAll('，', ', ').replaceAll('。', '.')],
    ['a moved paragraph', LONG, LONG.slice(500) + LONG.slice(0, 500)],
    ['traditional characters', LONG, LONG.replaceAll('莲', '蓮')],
    ['one character of a short text', '好诗啊', '好词啊'],
    ['characters beyond the Basic Multilingual Plane', `${LONG}𠮷`, `${LONG}𠀋`],
  ])('%s', (_, before, after) => {
    expect(isSmall(before, after)).toBe(true);
    expect(isSmall(after, before)).toBe(true);
  });
});

describe('beyond it', () => {
  test.each([
    ['another text', LONG, '本店新到一批好茶'],
    [
      'a paragraph more',
      LONG,
      `${LONG}本店新到一批明前好茶，欢迎各位新老朋友前来光临选购，数量有限，先到先得，售完为止`,
    ],
    ['a paragraph less', LONG, LONG.slice(0, -60)],
    ['every second character', LONG, LONG.replace(/(.)./g, '$1茶')],
    ['a short text replaced', '好诗啊', '加微信'],
    ['a link', LONG, `${LONG} https://ad.example`],
    ['another site in a link', `[茶](https://a.example) ${LONG}`, `[茶](https://b.example) ${LONG}`],
    ['a number', LONG, `${LONG}加 10086`],
    [
      'another picture',
      `![](/api/file/${'a'.repeat(32)}.png) ${LONG}`,
      `![](/api/file/${'b'.repeat(31)}1.png) ${LONG}`,
    ],
    ['everything', LONG, ''],
  ])('%s', (_, before, after) => {
    expect(isSmall(before, after)).toBe(false);
  });

  test('a replaced title, however long the text', () => {
    const text = LONG;
    expect(isSmallChange({ title: '山居秋暝', text }, { title: '加我微信', text })).toBe(false);
    expect(isSmallChange({ title: '山居秋瞑', text }, { title: '山居秋暝', text })).toBe(true);
  });

  test('measures the longest texts at once', () => {
    const one = '字'.repeat(100_000) + LONG.repeat(50);
    expect(isSmall(one, one.replace('清泉', '情泉'))).toBe(true);
    expect(isSmall(one, one.replaceAll('明月', '茶叶'))).toBe(false);
  });
});

describe('the setting', () => {
  const [before, small, large] = ['好诗啊，写得真好', '好词啊，写得真好', '加我微信买好茶'].map((text) => ({
    title: '',
    text,
  }));
  test.each([
    ['none', 'always', true, [false, false, false]],
    ['all', 'never', true, [false, false, false]],
    ['all', 'size', false, [false, false, true]],
    ['all', 'always', false, [false, true, true]],
    ['first', 'size', true, [false, false, true]],
    ['first', 'always', false, [false, false, false]],
  ] as const)('%s, %s, for a new author: %s', (policy, holdChanges, isNew, expected) => {
    for (const kind of ['article', 'comment'] as const) {
      const settled = { holdArticles: policy, holdComments: policy, holdChanges };
      const found = [before, small, large].map((after) =>
        waitsForReview(
          settled,
          { kind, isNew },
          before ?? { title: '', text: '' },
          after ?? { title: '', text: '' },
        ),
      );
      expect(found).toEqual(expected);
    }
  });
});
