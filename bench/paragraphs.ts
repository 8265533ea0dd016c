import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';

const GUIDES = new URL('../src/lib/server/guides', import.meta.url).pathname;

/** Returns the paragraphs of all Markdown files of `corpus`; of the guide articles if it does not exist. */
export async function readParagraphs(corpus: string): Promise<string[]> {
  const root = existsSync(corpus) ? corpus : GUIDES;
  const names: string[] = [];
  for await (const name of glob('**/*.md', { cwd: root })) names.push(name);
  return names.toSorted().flatMap((name) =>
    readFileSync(join(root, name), 'utf8')
      .replace(/^---\n.*?\n---\n/s, '')
      .split(/\n{2,}/),
  );
}

/** Whether a paragraph is text that a search can find, rather than a short line or code. */
export const isText = (paragraph: string): boolean => paragraph.length > 30 && !paragraph.includes('```');
