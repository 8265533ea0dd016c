import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';
import { walk } from '../../../src/lib/markdown/walk.ts';
import { isMuchWork } from '../../../src/lib/markdown/work.ts';

// Real articles in a folder next to the project, not part of it.
const CORPUS = new URL('../../../../shared/corpus/javaguide/docs/', import.meta.url);
/** Number of the corpus's 84 diagrams that the library draws correctly. */
const DRAWN = 70;
/** Parts that contain source text: code, formulas and diagrams. The rest is readable text. */
const SOURCES = /<pre[^>]*>.*?<\/pre>|<code>.*?<\/code>|<annotation.*?<\/annotation>|<svg.*?<\/svg>/gs;
/**
 * Unrendered formulas: two dollar signs, or one before a TeX command or the start of a formula. No price is
 * written like that.
 */
const LEFT_FORMULA = /\$\$|\$[^$\n]*\\[a-z]|\$[a-zA-Z](?:[_^=]|\$)/;

/** A parser without this site's own syntax. */
const plain = unified().use(remarkParse).use(remarkGfm).freeze();

/** Text without white space and without the signs that this site interprets and plain GFM does not. */
const bare = (text: string) => text.replace(/^:{3,}.*$|^\[!\w+\]|^: +/gm, '').replace(/[\s$*~_]+/g, '');

/** Lines of visible text as plain GFM reads them, and the number of diagrams in code blocks. */
function readPlain(source: string): { lines: string[]; diagrams: number } {
  const lines: string[] = [];
  let diagrams = 0;
  walk<RootContent>(plain.parse(source), (node) => {
    if (node.type === 'code' && node.lang === 'mermaid') diagrams += 1;
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code')
      lines.push(...node.value.split('\n').map(bare));
  });
  return { lines, diagrams };
}

describe.skipIf(!existsSync(CORPUS))('real articles', () => {
  test(
    'all 430 articles render, with all of their text, formulas and diagrams',
    { timeout: 900_000 },
    async () => {
      const names = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.md'),
      );
      expect(names).toHaveLength(430);
      const tooMuch: string[] = [];
      const counts = { diagrams: 0, drawn: 0, formulas: 0 };
      for (const name of names) {
        const source = await readFile(new URL(name, CORPUS), 'utf8');
        const { html, text, summary, toc } = await renderMarkdown(source);
        // Some articles contain only a picture.
        const hasText = text !== '' && summary !== '';
        expect([name, hasText || html.includes('<img'), summary.length < 400]).toEqual([name, true, true]);
        // Each article must also be renderable at an edge.
        if (isMuchWork(source)) tooMuch.push(name);
        // Limits of limits.ts; real articles need a fraction of them.
        expect([name, toc.length < 200, Buffer.byteLength(html) < 300_000]).toEqual([name, true, true]);
        expect(toc.filter(({ level, no }) => !html.includes(` id="h${level}-${no}"`))).toEqual([]);

        const { lines, diagrams } = readPlain(source);
        const all = bare(text);
        expect([name, lines.filter((line) => !all.includes(line))]).toEqual([name, []]);
        expect([name, LEFT_FORMULA.exec(html.replace(SOURCES, ''))?.[0]]).toEqual([name, undefined]);
        expect([name, html.includes('math-error')]).toEqual([name, false]);
        counts.diagrams += diagrams;
        counts.drawn += html.split('<figure class="diagram').length - 1;
        counts.formulas += html.split('<math').length - 1;
      }
      expect(tooMuch).toEqual([]);
      expect(counts).toEqual({ diagrams: 84, drawn: DRAWN, formulas: 84 });
    },
  );
});
