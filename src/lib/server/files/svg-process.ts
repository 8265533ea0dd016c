import { buffer } from 'node:stream/consumers';
import { Resvg } from '@resvg/resvg-js';
import { MAX_SIDE_PIXELS } from './picture-bounds.ts';

const SCALE = 2;
const MAX_WIDTH_PIXELS = 2_560;
const MAX_PIXELS = 20_000_000;

const svg = (await buffer(process.stdin)).toString('utf8');
const font = { loadSystemFonts: /<(?:\w+:)?text\b/i.test(svg), defaultFontFamily: 'sans-serif' };
const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
const value = Math.min(
  SCALE,
  MAX_WIDTH_PIXELS / width,
  MAX_SIDE_PIXELS / height,
  Math.sqrt(MAX_PIXELS / (width * height)),
);
const drawn = new Resvg(svg, { font, fitTo: { mode: 'zoom', value } }).render();
process.stdout.write(drawn.asPng());
