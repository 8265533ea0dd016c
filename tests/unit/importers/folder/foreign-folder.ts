import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readArticle } from '../../../../src/lib/importers/folder/article.ts';
import { zoneOf } from '../../../../src/lib/importers/folder/generators/settings.ts';
import { openSiteVisibility } from '../../../../src/lib/importers/folder/site-visibility.ts';
import { openFolder } from '../../../../src/lib/importers/folder/walk.ts';

const NOW = Date.UTC(2026, 0, 1);
export const ID = '0123456789abcdef0123456789abcdef';

/** Writes a folder that is removed when the test ends. */
export function put(files: Record<string, string>) {
  const place = mkdtempSync(join(tmpdir(), 'moye-foreign-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, 'blog', path)), { recursive: true });
    writeFileSync(join(place, 'blog', path), text);
  }
  return openFolder(join(place, 'blog'));
}

/** Reads the first file, as a run would. */
export async function readFirst(files: Record<string, string>, takesPlacedPages = false) {
  const folder = put(files);
  const [path = ''] = Object.keys(files);
  const file = folder.files.find((each) => each.path === path);
  if (!file) throw new Error(`${path} was left out`);
  const { zone } = zoneOf(folder.generator);
  const visibility = openSiteVisibility(folder);
  const article = await readArticle(file, {
    ...folder,
    now: NOW,
    zone,
    takesPlacedPages,
    omitsHidden: false,
    dates: new Map(),
    visibility,
  });
  const created = article.created === undefined ? null : new Date(article.created).toISOString();
  return { ...article, created };
}
export const front = (fields: string, body = '正文在此\n') => `---\n${fields}\n---\n\n${body}`;
