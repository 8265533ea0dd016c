import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromHtml } from '../../../src/lib/markdown/from-html/from-html.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

const folder = join(import.meta.dirname, '../../fixtures/paste');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => basename(name, '.html'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('HTML of other programs becomes markdown', () => {
  test.each(names)('%s', (name) => {
    expect(`${fromHtml(read(`${name}.html`))?.markdown}\n`).toBe(read(`${name}.md`));
  });

  test.each(names)('%s renders without a sign left over, a script or hidden text', async (name) => {
    const { html, text } = await renderMarkdown(fromHtml(read(`${name}.html`))?.markdown ?? '');
    expect(html).not.toMatch(/script:|alert|onerror|藏着|看不见/);
    expect(text.replace('*stays*', '')).not.toMatch(/\*|~~|&#x/);
  });
});

test('pictures that have no address on the web are counted', () => {
  const { markdown, lostPictures } =
    fromHtml('<p>图<img src="file:///C:/a.png" alt="一"><img src="data:x"></p><hr>') ?? {};
  expect([markdown, lostPictures]).toEqual(['图一\n\n---', 2]);
});

test('what is plain text alone is left to the clipboard, markdown in it too', () => {
  expect(
    fromHtml('<meta charset="utf-8"><span style="color:red">**粗** 与 # 号</span><br><div>下一行</div>'),
  ).toBeNull();
  expect(fromHtml('')).toBeNull();
});

test.each([
  ['<p>前<b>粗。</b>后</p>', '前**粗。**后'],
  ['<p>前<b>“粗”</b><i>斜</i>后</p>', '前**“粗”***斜*后'],
  ['<p><b>粗 </b><b> 体</b></p>', '**粗** **体**'],
  ['<p><b><br></b>甲<b> </b><s>乙</s></p>', '甲 ~~乙~~'],
  ['<p><a href="java&#10;script:alert(1)"><b>甲</b></a></p>', '**甲**'],
  ['<p>甲<b hidden>乙</b><b style="visibility:hidden">丙</b><b>丁</b></p>', '甲**丁**'],
  ['<table><tr><td colspan=1000000>甲</td></tr><tr><td>乙</td></tr></table>', null],
])('%s', async (html, markdown) => {
  const made = fromHtml(html)?.markdown;
  if (markdown === null) expect(made?.length).toBeLessThan(2_000);
  else expect(made).toBe(markdown);
  expect((await renderMarkdown(made ?? '')).text).not.toMatch(/\*|~~/);
});

test('what nests deeper than the stack is an error, not a crash', () => {
  expect(() => fromHtml('<div>'.repeat(50_000))).toThrow(RangeError);
});
