import { describe, expect, test } from 'vitest';
import { listExcerpt, splitAtFold } from '../../../src/lib/markdown/excerpt.ts';
import { takeGraphemes } from '../../../src/lib/shared/graphemes.ts';

describe('the 阅读全文 line', () => {
  test('splits the article, and is removed', () => {
    expect(splitAtFold('一\n\n<--阅读全文-->\n\n二\n')).toEqual({
      before: '一',
      folded: true,
      withoutFold: '一\n\n二\n',
    });
  });

  test('keeps the surrounding blocks separate', () => {
    expect(splitAtFold('一\n<--阅读全文-->\n二').withoutFold).toBe('一\n\n二');
  });

  test.each(['<--阅读全文-->', '  <-- 阅读全文 -->  ', '<!--阅读全文-->', '<!-- more -->', '<!--more-->'])(
    'may be written %s',
    (line) => {
      expect(splitAtFold(`一\n${line}\r\n二`)).toMatchObject({ before: '一', folded: true });
    },
  );

  test.each([
    ['within a line', '一 <--阅读全文--> 二'],
    ['in a code block', '```\n<--阅读全文-->\n```\n二'],
    ['in a code block of a list', '- 一\n\n    ```md\n    x\n<--阅读全文-->\n    ```'],
    ['in a code block that is never closed', '~~~\n```\n<--阅读全文-->'],
    ['indented as code', '一\n\n    <--阅读全文-->'],
    ['in other words', '<!-- more or less -->'],
  ])('does not count %s', (_, source) => {
    expect(splitAtFold(source)).toEqual({ before: source, folded: false, withoutFold: source });
  });

  test('is looked for in linear time', () => {
    // Quadratic time would be minutes.
    const ticks = `${'`'.repeat(1_000_000)} \`\n<!-- more -->\n二`;
    expect(splitAtFold(ticks).folded).toBe(true);
    expect(listExcerpt(ticks).showMore).toBe(true);
  });

  test('is recognised after a code block, and the first one counts', () => {
    const { before, withoutFold } = splitAtFold('```\nx\n```\n<--阅读全文-->\n二\n<--阅读全文-->\n三');
    expect(before).toBe('```\nx\n```');
    expect(withoutFold).toBe('```\nx\n```\n\n二\n\n三');
  });

  test('may be first or last', () => {
    expect(splitAtFold('<--阅读全文-->\n二')).toEqual({ before: '', folded: true, withoutFold: '二' });
    expect(splitAtFold('一\n<--阅读全文-->')).toEqual({ before: '一', folded: true, withoutFold: '一' });
  });
});

describe('the excerpt in a list', () => {
  test('is a short article completely', () => {
    expect(listExcerpt('一\n\n二\n')).toEqual({ content: '一\n\n二\n', showMore: false });
  });

  test('is the part before the fold', () => {
    expect(listExcerpt('一\n\n<--阅读全文-->\n\n二')).toEqual({ content: '一', showMore: true });
  });

  test('of a long article ends with a whole block', () => {
    const blocks = Array.from({ length: 30 }, (_, index) => `第 ${index} 段${'字'.repeat(60)}`);
    const { content, showMore } = listExcerpt(blocks.join('\n\n'), 1_000);
    expect(showMore).toBe(true);
    expect(content.length).toBeLessThanOrEqual(1_000);
    expect(content).toBe(blocks.slice(0, content.split('\n\n').length).join('\n\n'));
    expect(content.length).toBeGreaterThan(900);
  });

  test('omits a code block rather than splitting it', () => {
    const { content } = listExcerpt(`${'字'.repeat(50)}\n\n\`\`\`\n${'x\n\n'.repeat(100)}\`\`\``, 120);
    expect(content).toBe('字'.repeat(50));
  });

  test('closes a cut code block that is the whole article', () => {
    const { content } = listExcerpt(`\`\`\`\`js\n${'let a\n'.repeat(100)}\`\`\`\`\n`, 100);
    expect(content).toMatch(/^````js\n(let a\n)+````$/);
    expect(content.length).toBeLessThanOrEqual(105);
  });

  test('of one very long paragraph ends with a sentence', () => {
    expect(listExcerpt('一句话。'.repeat(100), 50).content).toBe('一句话。'.repeat(12));
    expect(listExcerpt('字'.repeat(100), 50).content).toBe(`${'字'.repeat(50)}…`);
  });

  test('never splits an emoji', () => {
    const { content } = listExcerpt('👩‍🚀'.repeat(400), 100);
    expect(content).toMatch(/^(👩‍🚀)+…$/u);
    expect(content.length).toBeLessThanOrEqual(101);
  });
});

describe('characters as readers count them', () => {
  test.each([
    ['abc', 2, 'ab'],
    ['👨‍👩‍👧👨‍👩‍👧', 1, '👨‍👩‍👧'],
    ['🇨🇳🇨🇳', 1, '🇨🇳'],
    ['e\u0301e\u0301', 1, 'e\u0301'],
    ['👍🏽👍🏽', 1, '👍🏽'],
    ['𠮷野家', 2, '𠮷野'],
    ['短', 5, '短'],
    ['字', 0, ''],
  ])('%s, %i', (text, limit, expected) => {
    expect(takeGraphemes(text, limit)).toBe(expected);
  });

  test('many combining marks do not make one endless character', () => {
    expect(takeGraphemes(`a${'\u0301'.repeat(100_000)}`, 10).length).toBeLessThanOrEqual(160);
  });
});
