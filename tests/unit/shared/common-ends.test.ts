import { expect, test } from 'vitest';
import { commonEnds } from '../../../src/lib/shared/common-ends.ts';

const LONG = '空山新雨后，天气晚来秋。'.repeat(200);

test.each([
  ['', '', 0, 0],
  ['', '月', 0, 0],
  ['月', '月', 1, 0],
  ['月月', '月', 1, 0],
  ['月', '月月', 1, 0],
  ['甲乙丙', '甲丁丙', 1, 1],
  ['甲乙', '丙丁', 0, 0],
  [LONG, LONG, LONG.length, 0],
  [LONG, `${LONG}月`, LONG.length, 0],
  [LONG, `月${LONG}`, 0, LONG.length],
])('%# texts that begin and end alike', (before, after, head, tail) => {
  expect(commonEnds(before, after)).toEqual({ head, tail });
  expect(commonEnds([...before], [...after])).toEqual({ head, tail });
});

test('finds a change wherever it is', () => {
  for (let at = 0; at <= LONG.length; at += 37) {
    const after = `${LONG.slice(0, at)}月${LONG.slice(at + 1)}`;
    const { head, tail } = commonEnds(LONG, after);
    expect(head + tail).toBe(LONG.length - (at < LONG.length ? 1 : 0));
    expect(
      LONG.slice(0, head) + after.slice(head, after.length - tail) + LONG.slice(LONG.length - tail),
    ).toBe(after);
  }
});
