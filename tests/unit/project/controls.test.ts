import { expect, test } from 'vitest';
import { listModules, readText } from './source-files.ts';

test('checkboxes and other controls follow the accent, by one inherited rule', () => {
  const root = /:root \{([^}]*)\}/.exec(readText('src/styles/base.css'))?.[1];
  expect(root).toContain('accent-color: var(--indigo);');
  expect(listModules().filter((path) => /\baccent-(?:color|indigo)\b/.test(readText(path)))).toEqual([]);
});
