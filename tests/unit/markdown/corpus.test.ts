import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';
import { isMuchWork } from '../../../src/lib/markdown/work.ts';

// Real articles, kept beside the project and not part of it.
const CORPUS = new URL('../../../../shared/corpus/javaguide/docs/', import.meta.url);

describe.skipIf(!existsSync(CORPUS))('real articles', () => {
  test('all 430 render, with text, summary and anchors', { timeout: 180_000 }, async () => {
    const names = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(names).toHaveLength(430);
    const tooMuch: string[] = [];
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
    }
    expect(tooMuch).toEqual([]);
  });
});
