import { expect, test } from 'vitest';
import {
  parsePicture,
  writePicture,
  type PictureSource,
} from '../../../../../src/islands/editor/pictures/picture-source.ts';

const URL = '/api/file/a-8x6.png';
const plain: PictureSource = { alt: '竹林', url: URL, caption: '', width: 'text' };

test.for<[text: string, picture: PictureSource]>([
  [`![竹林](${URL})`, plain],
  [`![竹林](${URL} "雨后")`, { ...plain, caption: '雨后' }],
  [`![竹林](${URL}#w=small)`, { ...plain, width: 'small' }],
  [
    `![](${URL}#w=full "雨后的 \\"竹林\\" \\\\")`,
    { alt: '', url: URL, caption: '雨后的 "竹林" \\', width: 'full' },
  ],
  [`![a \\[b\\] \\\\](${URL})`, { ...plain, alt: 'a [b] \\' }],
])('%s is read and written as it stands', ([text, picture]) => {
  expect(parsePicture(`前${text}后`, 3)).toEqual({ ...picture, from: 1, to: 1 + text.length });
  expect(writePicture(picture)).toBe(text);
});

test('the picture at the caret is found, and none next to it', () => {
  const [first, second] = [`![一](${URL})`, `![二](${URL})`];
  const line = `${first} ${second}`;
  expect(parsePicture(line, 0)?.alt).toBe('一');
  expect(parsePicture(line, first.length)?.alt).toBe('一');
  expect(parsePicture(line, line.length)?.alt).toBe('二');
  expect(parsePicture(`字${line}`, 0)).toBeNull();
  expect(parsePicture(`[链接](${URL})`, 3)).toBeNull();
});

test('a description cannot end its picture’s syntax', () => {
  const picture = { ...plain, alt: ']\n![', caption: '")\n' };
  expect(parsePicture(writePicture(picture), 0)).toMatchObject({ alt: '] ![', caption: '") ' });
});
