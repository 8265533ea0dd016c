import { expect, test } from 'vitest';
import { withRelativeLinks, withSiteAddresses } from '../../../src/lib/server/export/picture-links.ts';

const NAME = `${'a'.repeat(32)}-640x480.png`;
const OTHER = `${'b'.repeat(32)}.webp`;
const site = `/api/file/${NAME}`;
const pathOf = (name: string) => (name === NAME ? `authors/作者 甲(1)/pictures/${NAME}` : null);
const from = 'authors/作者 甲(1)/versions/题/x.md';
const link = `../../pictures/${NAME}`;

test('pictures are shown by paths beside the text, and back', () => {
  const content = `![甲](${site})\n\n![乙](<${site}> "题")\n\n<img alt="" src='${site}'>\n\n[丙]: ${site}\n`;
  const text = { content, cover: site };
  const linked = withRelativeLinks(text, pathOf, from);
  expect(linked).toEqual({ content: content.replaceAll(site, link), cover: link });
  expect(withSiteAddresses(linked ?? text)).toEqual(text);
});

test('a picture in another author’s folder is found by a path without brackets or spaces', () => {
  const linked = withRelativeLinks({ content: `![](${site})`, cover: '' }, pathOf, 'authors/乙/posts/x.md');
  expect(linked?.content).toBe(`![](../../%E4%BD%9C%E8%80%85%20%E7%94%B2%281%29/pictures/${NAME})`);
  expect(withSiteAddresses(linked ?? { content: '', cover: '' }).content).toBe(`![](${site})`);
});

test('code, other URLs and missing pictures stay unchanged', () => {
  const content = `\`${site}\`\n\n    ![](${site})\n\n![](/api/file/${OTHER})\n\n![](https://a.example${site})\n\n${site}`;
  const text = { content, cover: '' };
  expect(withRelativeLinks(text, pathOf, from)).toBe(text);
});

test('a text that contains such a path is left unchanged, since it could not be restored', () => {
  const text = { content: `![](../pictures/${NAME})\n\n![](${site})`, cover: '' };
  expect(withRelativeLinks(text, pathOf, from)).toBeNull();
});
