import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DOCUMENTS, INSTRUCTIONS } from '../../../src/lib/importers/folder/pages.ts';

const CLIENT = fileURLToPath(new URL('../../../tools/moye-publish.mjs', import.meta.url));

test('the client skips the same documents as the import', () => {
  // The client is one file without imports, so it has a copy of the lists.
  const source = readFileSync(CLIENT, 'utf8');
  const literalOf = (name: string) => new RegExp(`const ${name} =\\s*(/.+/i?);`).exec(source)?.[1];
  expect(literalOf('DOCUMENTS')).toBe(String(DOCUMENTS));
  expect(literalOf('INSTRUCTIONS')).toBe(String(INSTRUCTIONS));
});
