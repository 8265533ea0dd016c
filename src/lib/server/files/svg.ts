import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { refuse } from '../../contract/rules/errors.ts';
import { formatOf } from '../../contract/rules/pictures.ts';
import { requireBounds } from './picture-bounds.ts';
import { readPictureSize } from './picture-header.ts';
import { MIB } from '../../contract/rules/units.ts';

const MAX_SVG_BYTES = 4 * MIB;
const DRAW_TIMEOUT_MS = 20_000;
/** A reference outside the picture: to a file, the web, or an embedded SVG that may contain others. */
const OUTWARD =
  /\s(?:xlink:)?href\s*=\s*(?:"(?!#|data:image\/(?!svg))[^"]*"|'(?!#|data:image\/(?!svg))[^']*')/gi;
const EMBEDDED = /data:image\/(?!svg)([^,"']{0,200}),([^"']*)/gi;
const LINE_BREAKS = /\s|&#(?:xa|xd|10|13);/gi;
const START =
  /^\ufeff?(?:\s|<\?[^>]{0,500}\?>|<!--[\s\S]{0,2000}?-->|<!DOCTYPE[^>[]{0,500}(?:\[[^\]]{0,5000}\])?\s*>)*<(?:\w+:)?svg[\s>]/i;

export const isSvg = (bytes: Uint8Array): boolean =>
  START.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16_384)).toString('utf8'));

/**
 * Draws an SVG as PNG, at twice its size and at most 2560 wide, in a separate process that is killed if it
 * takes too long (SECURITY.md 49). Reads nothing outside the SVG except system fonts, and those only for
 * text (SECURITY.md 66). Refuses with IMAGE_UNREADABLE.
 */
export async function drawSvg(bytes: Uint8Array): Promise<{ bytes: Uint8Array; losses: string[] }> {
  if (bytes.length > MAX_SVG_BYTES) refuse('IMAGE_UNREADABLE', { text: 'SVG 图片过大，没有画出' });
  const written = Buffer.from(bytes).toString('utf8');
  const svg = written.replace(OUTWARD, '');
  requireEmbeddedBounds(svg);
  const losses = [
    ...(svg.length < written.length && /<(?:\w+:)?image\b/i.test(written)
      ? ['SVG 引用了外部图片，没有画出']
      : []),
    ...(/<(?:\w+:)?foreignObject\b/i.test(svg) ? ['SVG 里的网页片段没有画出'] : []),
    ...(/<(?:\w+:)?text\b/i.test(svg) ? ['SVG 已转成位图，文字用本机的字体画出，请核对'] : []),
  ];
  const png = await drawApart(svg);
  return png ? { bytes: png, losses } : refuse('IMAGE_UNREADABLE', { text: 'SVG 图片无法画出' });
}

/** Refuses with IMAGE_UNREADABLE an SVG with an embedded picture that is too large or has no size. */
export function requireEmbeddedBounds(svg: string): void {
  for (const [, type = '', data = ''] of svg.matchAll(EMBEDDED)) {
    const bytes = /;base64$/i.test(type) ? Buffer.from(data.replace(LINE_BREAKS, ''), 'base64') : null;
    const format = bytes && formatOf(bytes);
    const size = format && readPictureSize(bytes, format);
    if (!size) return refuse('IMAGE_UNREADABLE', { text: 'SVG 里的图片无法识别，没有画出' });
    requireBounds(size);
  }
}

async function drawApart(svg: string): Promise<Buffer | null> {
  const script = fileURLToPath(new URL('./svg-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: DRAW_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close');
  // The process may exit before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(svg);
  const pieces: Buffer[] = [];
  for await (const piece of child.stdout) pieces.push(piece as Buffer);
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  if (signal === 'SIGKILL')
    refuse('IMAGE_UNREADABLE', { text: `画这张 SVG 图片超过了 ${DRAW_TIMEOUT_MS / 1_000} 秒，没有画出` });
  return code === 0 ? Buffer.concat(pieces) : null;
}
