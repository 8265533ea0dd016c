import { buffer } from 'node:stream/consumers';
import { Resvg } from '@resvg/resvg-js';

/** Draws the SVG of standard input on standard output, as PNG (svg.ts). */
const SCALE = 2;
const WIDEST_PX = 2560;
const MOST_PIXELS = 20_000_000;

const svg = (await buffer(process.stdin)).toString('utf8');
const font = { loadSystemFonts: /<(?:\w+:)?text\b/i.test(svg), defaultFontFamily: 'sans-serif' };
const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
const value = Math.min(SCALE, WIDEST_PX / width, Math.sqrt(MOST_PIXELS / (width * height)));
const drawn = new Resvg(svg, { font, fitTo: { mode: 'zoom', value } }).render();
process.stdout.write(drawn.asPng());
