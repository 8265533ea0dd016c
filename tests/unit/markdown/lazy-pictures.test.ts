import { describe, expect, test } from 'vitest';
import { articleFromHtml } from '../../../src/lib/markdown/from-html/article.ts';
import { fromHtml } from '../../../src/lib/markdown/from-html/from-html.ts';

const A = 'https://a.example/a.png';
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const EMBEDDED = `data:image/png;base64,${'A'.repeat(400)}`;

describe('the real address of a picture that is loaded late', () => {
  const CASES: [string, string][] = [
    ['data-src', `<img src="${BLANK}" data-src="${A}">`],
    ['data-original', `<img src="https://a.example/loading.gif" data-original="${A}">`],
    ['data-lazy-src', `<img src="${BLANK}" data-lazy-src="${A}">`],
    ['data-actualsrc', `<img src="${BLANK}" data-actualsrc="${A}">`],
    ['srcset without src', `<img srcset="https://a.example/s.png 300w, ${A} 1200w">`],
    ['data-srcset', `<img src="${BLANK}" data-srcset="https://a.example/s.png 1x, ${A} 2x">`],
    ['src beside srcset', `<img src="${A}" srcset="https://a.example/l.png 2000w">`],
    ['noscript behind it', `<img src="${BLANK}" class="lazy"><noscript><img src="${A}"></noscript>`],
    ['noscript behind it, twice', `<img data-src="${A}"><noscript><img src="${A}"></noscript>`],
    ['noscript alone', `<noscript><img src="${A}"></noscript>`],
  ];

  test.each(CASES)('%s, pasted', async (_, html) => {
    expect((await fromHtml(`<p>图${html}</p><hr>`))?.markdown).toBe(`图![](${A})\n\n---`);
  });

  test.each(CASES)('%s, imported', async (_, html) => {
    const { markdown } = await articleFromHtml(`<p>图${html}</p>`, { resolve: (address) => address });
    expect(markdown).toBe(`图![](${A})`);
  });

  test('may be relative in an import', async () => {
    const resolve = (address: string) => new URL(address, 'https://a.example/').href;
    const { markdown } = await articleFromHtml(`<p><img src="${BLANK}" data-original="/up/a.png"></p>`, {
      resolve,
    });
    expect(markdown).toBe('![](https://a.example/up/a.png)');
  });
});

test('an embedded picture stays in an import, which makes it a file; a blank one is lost', async () => {
  const { markdown, lostPictures } = await articleFromHtml(
    `<p>甲<img src="${EMBEDDED}" alt="图">乙<img src="${BLANK}"></p>`,
    { resolve: () => '' },
  );
  expect([markdown, lostPictures]).toEqual([`甲![图](${EMBEDDED})乙`, 1]);
  expect(await fromHtml(`<p><b>甲</b><img src="${EMBEDDED}"></p>`)).toMatchObject({
    markdown: '**甲**',
    lostPictures: 1,
  });
});
