import { readFile } from 'node:fs/promises';
import { Blob, Face } from 'harfbuzzjs';
import { describe, expect, test } from 'vitest';
import decompress from 'woff2-encoder/decompress';
import { renderMarkdown } from '../../../../src/lib/markdown/render.ts';

const FOLDER = new URL('../../../../src/styles/math-fonts/', import.meta.url);
/** Bytes of one file, and of all files together. */
const BUDGET = { file: 60_000, all: 160_000 };

const sheet = await readFile(new URL('faces.css', FOLDER), 'utf8');
const faces = await Promise.all(
  sheet
    .split('@font-face')
    .slice(1)
    .map(async (rule) => {
      const name = /url\('\.\/([\w.]+)'\)/.exec(rule)?.[1] ?? '';
      const bytes = await readFile(new URL(name, FOLDER));
      const face = new Face(new Blob((await decompress(bytes)).slice().buffer));
      const ranges = Array.from(
        rule.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi),
        ([, first = '', last = first]) => [parseInt(first, 16), parseInt(last, 16)],
      );
      const isIn = (code: number) => ranges.some(([first = 0, last = 0]) => code >= first && code <= last);
      return { name, rule, size: bytes.length, face, isIn, codes: new Set(face.collectUnicodes()) };
    }),
);

/** Returns the file that browsers load for a character, as the last rule that names it wins. */
const faceFor = (code: number) => faces.findLast(({ isIn }) => isIn(code));

describe('the math fonts', () => {
  test('have the MATH table that browsers lay out formulas with, within their budget', () => {
    expect(faces.map(({ name }) => name).toSorted()).toEqual(
      ['bold', 'letters', 'main', 'sans', 'signs'].map((name) => `${name}.woff2`),
    );
    for (const { name, rule, size, face } of faces) {
      expect([name, face.referenceTable('MATH')?.length]).toEqual([name, expect.any(Number)]);
      expect(rule).toContain('font-display: swap;');
      expect(size).toBeLessThan(BUDGET.file);
    }
    expect(faces.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(BUDGET.all);
    // Browsers take the layout constants from the file with the space.
    expect(faceFor(0x20)?.name).toBe('main.woff2');
  });

  test.each([
    [
      'main',
      String.raw`\int_0^\infty e^{-x^2}\,dx=\frac{\sqrt\pi}{2}+\sum_{n=1}^N\prod_{k\in S}\binom nk-1.5!`,
    ],
    [
      'main',
      String.raw`\alpha\beta\Gamma\varphi\epsilon\Omega\partial\nabla\hbar\ell\forall\exists\emptyset\angle`,
    ],
    [
      'main',
      String.raw`a\leq b\geq c\neq d\approx e\equiv f\sim g\subseteq h\cup i\cap j\Rightarrow k\iff l\mapsto m`,
    ],
    [
      'main',
      String.raw`\left\lfloor x\right\rceil\left\{\begin{matrix}a&b\\c&d\end{matrix}\right\}\langle u,v\rangle\|w\|`,
    ],
    [
      'main',
      String.raw`\hat a\vec b\tilde c\dot d\ddot e\bar f\overline{gh}\overbrace{xy}\underbrace{zw}\cdots\ldots\vdots\ddots`,
    ],
    [
      'main',
      String.raw`x'\cdot y''\times z\div w\pm v\mp u\oplus t\otimes s\xrightarrow{f}\rightarrow\leftarrow\to`,
    ],
    ['letters', String.raw`\mathbb{R}\mathbb{N}\mathcal{L}\mathscr{F}\mathfrak{g}`],
    ['bold', String.raw`\mathbf{v}\boldsymbol{\beta}\mathbf{1}`],
    ['sans', String.raw`\mathsf{T}\mathtt{x}`],
    ['signs', String.raw`\curvearrowright\bigstar\rightsquigarrow\boxtimes\lessgtr`],
  ])('have every character of a formula, %s: %s', async (part, tex) => {
    const { html } = await renderMarkdown(`$${tex}$`);
    // Without the selectors that ask for text instead of emoji.
    const drawn = html.replace(/<annotation[\s\S]*?<\/annotation>|\ufe0e/g, '');
    const texts = Array.from(drawn.matchAll(/<(mi|mo|mn|mtext)\b([^>]*)>([^<]*)</g));
    expect(texts.length).toBeGreaterThan(0);
    const loaded = new Set<string>();
    for (const [, tagName = '', attributes = '', text = ''] of texts) {
      for (const character of text.replace(/&#x([\dA-F]+);|&\w+;/gi, (_, code?: string) =>
        code ? String.fromCodePoint(parseInt(code, 16)) : '<',
      )) {
        const code = asDrawn(
          character,
          tagName === 'mi' && [...text].length === 1 && !attributes.includes('normal'),
        );
        const face = faceFor(code);
        if (face) loaded.add(face.name.replace('.woff2', ''));
        expect([character, code.toString(16), face?.codes.has(code)]).toEqual([
          character,
          code.toString(16),
          true,
        ]);
      }
    }
    expect(loaded).toContain(part);
    if (part === 'main') expect([...loaded]).toEqual(['main']);
  });
});

/** Returns the code point that is drawn: a lone letter is italic. */
function asDrawn(character: string, isItalic: boolean): number {
  const code = character.codePointAt(0) ?? 0;
  if (!isItalic) return code;
  if (character === 'h') return 0x210e;
  if (/[A-Z]/.test(character)) return 0x1d434 + code - 0x41;
  return /[a-z]/.test(character) ? 0x1d44e + code - 0x61 : code;
}
