import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BOUNDS } from '../../../src/lib/contract/rules/bounds.ts';
import { MIB } from '../../../src/lib/contract/rules/units.ts';
import { DOCUMENTS, INSTRUCTIONS } from '../../../src/lib/importers/folder/pages.ts';
import { MAX_FILE_BYTES } from '../../../src/lib/markdown-file/limits.ts';

const CLIENT = fileURLToPath(new URL('../../../tools/moye-publish.mjs', import.meta.url));

test('the client skips the same documents as the import', () => {
  // The client is one file without imports, so it has a copy of the lists.
  const source = readFileSync(CLIENT, 'utf8');
  const literalOf = (name: string) => new RegExp(`const ${name} =\\s*(/.+/i?);`).exec(source)?.[1];
  expect(literalOf('DOCUMENTS')).toBe(String(DOCUMENTS));
  expect(literalOf('INSTRUCTIONS')).toBe(String(INSTRUCTIONS));
});

test('the client reads no more of a file than the site takes', () => {
  const source = readFileSync(CLIENT, 'utf8');
  const [, article, picture] = /article: (\d+) \* MIB, picture: (\d+) \* MIB/.exec(source) ?? [];
  expect(Number(article) * MIB).toBe(MAX_FILE_BYTES);
  expect(Number(picture) * MIB).toBe(BOUNDS.imageBytes);
});
