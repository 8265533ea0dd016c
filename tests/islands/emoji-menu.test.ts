import { beforeAll, describe, expect, test } from 'vitest';
import { emojiCallAt, emojisAt } from '../../src/islands/editor/completions/completions.ts';
import { findEmojis, loadEmojis } from '../../src/islands/editor/emoji/load.ts';
import type { Emoji } from '../../src/islands/editor/emoji/emojis.ts';
import { stateOf } from '../unit/islands/editor/written.ts';

const callIn = (text: string) => {
  const state = stateOf(text);
  return emojiCallAt(state, state.selection.main.head)?.query ?? null;
};

describe('the emoji menu opens', () => {
  test.each([
    [':sm¦', 'sm'],
    ['：笑¦', '笑'],
    ['好 ：笑脸¦', '笑脸'],
    ['好！:heart¦', 'heart'],
    ['😄:hea¦', 'hea'],
    ['❤️：心¦', '心'],
    ['- :+1¦', '+1'],
  ])('by %j', (text, query) => expect(callIn(text)).toBe(query));

  test.each([
    ['by a time', '10:30¦'],
    ['by a Chinese time', '12：00¦'],
    ['by a time after white space', ' :30¦'],
    ['behind a word and its colon', '结论：心¦'],
    ['behind a Latin word', 'name:sm¦'],
    ['in an address', 'https:ab¦'],
    ['by one letter, as in :D', '好 :D¦'],
    ['by a colon alone', '好 ：¦'],
    ['by a definition', ': 定义¦'],
    ['by a container', ':::tip¦'],
    ['in a table', '| :--¦'],
    ['in code', '`:sm¦`'],
    ['in a code block', '```\n:sm¦\n```'],
  ])('not %s', (_where, text) => expect(callIn(text)).toBeNull());
});

describe('emoji are found', () => {
  let all: readonly Emoji[] = [];
  beforeAll(async () => {
    all = await loadEmojis();
  });
  test.each([
    ['笑', '😄'],
    ['红心', '❤️'],
    ['heart', '❤️'],
    ['SMILE', '😄'],
    ['+1', '👍️'],
    ['中国', '🇨🇳'],
    ['猫', '🐱'],
  ])('by %j: %s among the first', (query, sign) => {
    const found = findEmojis(all, query).slice(0, 12);
    expect(found.map((each) => each.sign.replaceAll('\uFE0F', ''))).toContain(sign.replaceAll('\uFE0F', ''));
  });

  test('are inserted once loaded, in place of the name', () => {
    const result = emojisAt(stateOf('好 :smile¦'), 8);
    expect([result?.from, result?.options[0]]).toEqual([
      2,
      { label: '😄 大笑', detail: 'smile', apply: '😄' },
    ]);
  });

  test('no group is part of another', () => {
    expect(all.length).toBeGreaterThan(1_800);
    expect(all[0]?.sign).toBe('😀');
    expect(all.some(({ sign }) => sign === '🏻')).toBe(false);
  });
});
