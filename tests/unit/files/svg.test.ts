import { beforeAll, expect, test } from 'vitest';
import { requireEmbeddedBounds } from '../../../src/lib/server/files/svg.ts';
import { hugePng, twoColours } from './pictures.ts';

const withPicture = (base64: string, type = 'image/png;base64') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="data:${type},${base64}"/><rect width="5" height="5"/></svg>`;
const huge = hugePng(1, 49_000_000).toString('base64');
let small: string;
beforeAll(async () => {
  small = (await twoColours(8, 8).png().toBuffer()).toString('base64');
});

test('pictures inside an SVG obey the picture limits', () => {
  requireEmbeddedBounds(withPicture(small));
  requireEmbeddedBounds(withPicture(`${small.slice(0, 76)}&#xA;${small.slice(76)}`));
  const unreadable = { code: 'IMAGE_UNREADABLE' };
  for (const svg of [
    withPicture(huge),
    withPicture(`&#xA;${huge}`),
    withPicture(encodeURIComponent('\x89PNG'), 'image/png'),
    withPicture(small) + withPicture(huge),
    withPicture('AAAA'),
  ])
    expect(() => requireEmbeddedBounds(svg)).toThrow(expect.objectContaining(unreadable));
});
