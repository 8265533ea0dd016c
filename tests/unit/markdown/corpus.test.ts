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

// Real articles, kept beside the project and not part of it.
const CORPUS = new URL('../../../../shared/corpus/javaguide/docs/', import.meta.url);
/** How many of the corpus's 84 diagrams the library knows how to draw as they are meant. */
const DRAWN = 70;
/** Code, formulas and diagrams carry their source; what is left is read as text. */
const SOURCES = /<pre[^>]*>.*?<\/pre>|<code>.*?<\/code>|<annotation.*?<\/annotation>|<svg.*?<\/svg>/gs;
/** Two dollars, or one before a command of TeX or what formulas begin with: no price is written so. */
const LEFT_FORMULA = /\$\$|\$[^$\n]*\\[a-z]|\$[a-zA-Z](?:[_^=]|\$)/;

/** Without this site's own syntax. */
const plain = unified().use(remarkParse).use(remarkGfm).freeze();

/** What a text says, without white space and the signs that this site reads and plain GFM does not. */
const bare = (text: string) => text.replace(/^:{3,}.*$|^\[!\w+\]|^: +/gm, '').replace(/[\s$*~_]+/g, '');

/** Lines of the visible text as plain GFM reads it, and the diagrams it has as code. */
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
  test('all 430 render, with all of their text, formulas and diagrams', { timeout: 240_000 }, async () => {
    const names = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(names).toHaveLength(430);
    const tooMuch: string[] = [];
    const counts = { diagrams: 0, drawn: 0, formulas: 0 };
    for (const name of names) {
      const source = await readFile(new URL(name, CORPUS), 'utf8');
      const { html, text, summary, toc } = await renderMarkdown(source);
      // Snippets may hold a picture only.
      const hasText = text !== '' && summary !== '';
      expect([name, hasText || html.includes('<img'), summary.length < 400]).toEqual([name, true, true]);
      // Each of them is rendered at an edge as well.
      if (isMuchWork(source)) tooMuch.push(name);
      // Bounds of limits.ts: real articles need a fraction.
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
  });
});
