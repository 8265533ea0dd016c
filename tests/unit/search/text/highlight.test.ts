import { describe, expect, test } from 'vitest';
import { highlightAll, highlightSnippet } from '../../../../src/lib/server/search/text/highlight.ts';

describe('a marked title', () => {
  test.each([
    ['深入 ＪＶＭ 内存', ['jvm', '内存'], '深入 <mark>ＪＶＭ</mark> <mark>内存</mark>'],
    [
      '<script>alert(1)</script>',
      ['script'],
      '&lt;<mark>script</mark>&gt;alert(1)&lt;/<mark>script</mark>&gt;',
    ],
    ['a<b>&"c\'', ['<b', '&'], 'a<mark>&lt;b</mark>&gt;<mark>&amp;</mark>&quot;c&#39;'],
    ['AT&amp;T', ['amp'], 'AT&amp;<mark>amp</mark>;T'],
    ['</mark><img onerror=x>', ['mark'], '&lt;/<mark>mark</mark>&gt;&lt;img onerror=x&gt;'],
    ['线程池', ['线程', '程池'], '<mark>线程池</mark>'],
    ['线程', ['线程', '程'], '<mark>线程</mark>'],
    ['一ﬁ二', ['i'], '一<mark>ﬁ</mark>二'],
    ['家👩‍👩‍👧人', ['👩'], '家<mark>👩‍👩‍👧</mark>人'],
    ['好👍🏽啊', ['🏽'], '好<mark>👍🏽</mark>啊'],
    ['cafe\u0301s', ['f\u00e9'], 'ca<mark>fe\u0301</mark>s'],
    ['没有', ['别的'], '没有'],
    ['aaaa', ['aa'], '<mark>aaaa</mark>'],
  ])('of %j for %j', (title, words, html) => {
    expect(highlightAll(title, words)).toBe(html);
  });
});

/** Visible text of the HTML: without marks and entities. */
function visible(html: string): string {
  return html
    .replace(/<\/?mark>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('a snippet', () => {
  test('shows about 120 characters around the match, with … where it was cut', () => {
    const text = `${'前'.repeat(500)}线程安全${'后'.repeat(500)}`;
    const html = highlightSnippet(text, ['线程']);
    expect(html).toContain('<mark>线程</mark>安全');
    expect(html).toMatch(/^…前+<mark>.*后+…$/);
    expect(Array.from(visible(html)).length).toBeGreaterThanOrEqual(115);
    expect(Array.from(visible(html)).length).toBeLessThanOrEqual(125);
  });

  test('shows the place where different words stand together', () => {
    const text = `线程${'甲'.repeat(300)}线程${'乙'.repeat(20)}内存${'丙'.repeat(300)}内存`;
    const html = highlightSnippet(text, ['线程', '内存']);
    expect(html).toContain(`<mark>线程</mark>${'乙'.repeat(20)}<mark>内存</mark>`);
  });

  test('shows the place with the most matches of one word', () => {
    const html = highlightSnippet(`锁${'甲'.repeat(300)}锁一锁二锁${'乙'.repeat(300)}`, ['锁']);
    expect(html).toContain('<mark>锁</mark>一<mark>锁</mark>二<mark>锁</mark>');
  });

  test('of a short text is the whole text', () => {
    expect(highlightSnippet('短文里有线程', ['线程'])).toBe('短文里有<mark>线程</mark>');
  });

  test('without a match is the beginning', () => {
    expect(highlightSnippet('文'.repeat(300), ['线程'])).toBe(`${'文'.repeat(120)}…`);
    expect(highlightSnippet('', ['线程'])).toBe('');
  });

  test('finds a match deep inside a very long text, and across chunk borders', () => {
    for (const before of [19_599, 19_999, 20_000, 39_199, 150_000]) {
      expect(highlightSnippet(`${'文'.repeat(before)}线程${'文'.repeat(9_999)}`, ['线程'])).toContain(
        '<mark>线程</mark>',
      );
    }
  });

  test('never cuts an emoji or a letter with its marks', () => {
    for (let offset = 0; offset < 12; offset += 1) {
      const text = `${'甲'.repeat(offset)}${'👩‍👩‍👧🇨🇳e\u0301'.repeat(40)}线程${'👍🏽❤️'.repeat(60)}`;
      const shown = visible(highlightSnippet(text, ['线程'])).replace(/^…|…$/g, '');
      const graphemes = new Set(Array.from(new Intl.Segmenter('zh').segment(text), ({ segment }) => segment));
      for (const { segment } of new Intl.Segmenter('zh').segment(shown))
        expect(graphemes, shown).toContain(segment);
      expect(shown).toContain('线程');
    }
  });

  test('is safe HTML, wherever it is cut and highlighted', () => {
    const text = `<script>alert("1")</script>&amp;<img src=x onerror='a()'>`.repeat(20);
    for (const word of ['<', '>', '&', '"', "'", '<script>', 'amp;', '/', 'alert("', 't>&']) {
      const html = highlightSnippet(text, [word]);
      expect(html.replace(/<\/?mark>/g, ''), word).not.toMatch(/[<>"']/);
      expect(html.replace(/&(?:lt|gt|amp|quot|#39);/g, ''), word).not.toContain('&');
      expect(html, word).toContain('<mark>');
      expect(text, word).toContain(visible(html).replace(/^…|…$/g, ''));
    }
  });

  test('begins with a sentence, and cuts no word', () => {
    const before = '开头的一段话说了很多别的事情。'.repeat(20);
    const after = '，后面 concurrency 还有 synchronization 的许多说明'.repeat(20);
    const html = highlightSnippet(`${before}这里讲线程池${after}`, ['线程池']);
    expect(
      html.startsWith('…开头的一段话说了很多别的事情。这里讲<mark>') || html.startsWith('…这里讲<mark>'),
    ).toBe(true);
    const shown = visible(html).replace(/^…|…$/g, '');
    const last = /[a-z]+$/.exec(shown)?.[0];
    if (last !== undefined) expect(['concurrency', 'synchronization']).toContain(last);
    for (let offset = 0; offset < 14; offset += 1) {
      const text = `${'x'.repeat(offset)} ${'HashMap '.repeat(30)}线程${' HashMap'.repeat(30)}`;
      const cut = visible(highlightSnippet(text, ['线程'])).replace(/^…|…$/g, '');
      for (const word of cut.split(/\s+/)) expect(['HashMap', '线程', ''], cut).toContain(word);
    }
  });

  test('puts line breaks and tabs as one space', () => {
    expect(highlightSnippet('甲\n\n\t乙线程', ['线程'])).toBe('甲 乙<mark>线程</mark>');
  });
});
