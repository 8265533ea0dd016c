import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

const FOLDER = new URL('../../fixtures/golden/', import.meta.url);
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -3));

/** Returns the input and its origin, which is stated above it. */
async function readGolden(name: string) {
  const file = await readFile(new URL(`${name}.md`, FOLDER), 'utf8');
  const [, from = '', source = ''] = /^---\nfrom: (.+)\n---\n(.*)$/s.exec(file) ?? [];
  return { from, source };
}

// After `vitest -u`, review the diff of the .html files.
test.each(names)('%s', async (name) => {
  const { from, source } = await readGolden(name);
  expect(from.length).toBeGreaterThan(2);
  const { html } = await renderMarkdown(source);
  expect(html).not.toMatch(/ style="|="javascript:|<script| on\w+="/);
  await expect(`${html}\n`).toMatchFileSnapshot(new URL(`${name}.html`, FOLDER).pathname);
});

test('there are at least 140 cases', () => expect(names.length).toBeGreaterThanOrEqual(140));
