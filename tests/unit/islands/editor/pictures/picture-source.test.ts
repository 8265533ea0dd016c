import { expect, test } from 'vitest';
import {
  altOfFile,
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

test.each([
  'image.png',
  'image (1).png',
  'Image-20240501123011.jpeg',
  'IMG_1234.HEIC',
  'DSCF0042.JPG',
  'PXL_20240501_123011.jpg',
  'Screenshot 2024-05-01 at 12.30.11 PM.png',
  'Screenshot from 2024-05-01 12-30-11.png',
  'CleanShot 2024-05-01 at 12.30.11@2x.png',
  'Pasted image 20240501123011.png',
  '屏幕截图 2024-05-01 123011.png',
  '截屏2024-05-01 上午9.30.11.png',
  '微信图片_20240501123011.jpg',
  'mmexport1714537811000.jpg',
  '1714537811000.png',
  '未命名.png',
  '2f1c9a7e-5b3d-4c1f-9e8a-7b6c5d4e3f2a.png',
  '.png',
  '',
])('a file that a program named gets no alternative text: %s', (name) => {
  expect(altOfFile(name)).toBe('');
});

test.each([
  ['竹林.png', '竹林'],
  ['image-处理流程.png', 'image-处理流程'],
  ['图片上传的时序.png', '图片上传的时序'],
  ['Screenshot of the login page.png', 'Screenshot of the login page'],
  ['download-progress-bar.gif', 'download-progress-bar'],
  ['2024 年度总结.png', '2024 年度总结'],
  ['facade.jpg', 'facade'],
  ['v1.2 架构.png', 'v1.2 架构'],
  ['a[1]\\b.png', 'a 1  b'],
])('a name that says something is the alternative text: %s', (name, alt) => {
  expect(altOfFile(name)).toBe(alt);
});
