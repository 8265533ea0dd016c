import { expect, test } from 'vitest';
import { openingPicture } from '../../../src/lib/contract/rules/pictures.ts';

const address = (size = '', digit = 'a') => `/api/file/${digit.repeat(32)}${size}.webp`;
const wide = address('-1600x900');

test.each([
  ['in markdown', `开头\n\n![远山](${wide} "山")\n`, wide],
  ['whose address stands in angle brackets', `![远山](<${wide}>)`, wide],
  ['in HTML', `<img alt="远山" src="${wide}">`, wide],
  ['whose width the author chose', `![远山](${wide}#w=small)`, wide],
  ['whose size nobody knows', `![旧图](${address()})`, address()],
  ['after a sign in a line', `![](${address('-40x40', 'b')})\n\n![远山](${wide})`, wide],
])('the picture of an opening is one %s', (_, markdown, picture) => {
  expect(openingPicture(markdown)).toBe(picture);
});

test.each([
  ['text alone', '没有图'],
  ['a link to a picture', `[原图](${wide})`],
  ['code that shows one', `\`\`\`md\n![远山](${wide})\n\`\`\``],
  ['code that is not closed', `~~~\n![远山](${wide})`],
  ['a picture of another site', '![远山](https://example.com/a.webp)'],
  ['a small sign', `![](${address('-40x40')})`],
  ['an avatar', '![](/api/file/avatar/user?username=a)'],
  ['a description without an end', '!['.repeat(20_000)],
])('%s has no picture', (_, markdown) => {
  expect(openingPicture(markdown)).toBe('');
});
