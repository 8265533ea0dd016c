import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { THEME_SCRIPT, THEME_SCRIPT_HASH } from '../../../src/layouts/theme-script.ts';

/** Runs the script as a browser with `stored` as the reader's theme would; returns what it put on the document. */
function themeFor(stored: string | null): string | undefined {
  const dataset: { theme?: string } = {};
  runInNewContext(THEME_SCRIPT, {
    localStorage: { getItem: () => stored },
    document: { documentElement: { dataset } },
  });
  return dataset.theme;
}

test('the security policy allows this script and no other', () => {
  expect(THEME_SCRIPT_HASH).toBe(`sha256-${createHash('sha256').update(THEME_SCRIPT).digest('base64')}`);
});

test('the stored theme is set, anything else is left light', () => {
  expect(themeFor('dark')).toBe('dark');
  expect(themeFor('light')).toBe('light');
  expect(themeFor(null)).toBeUndefined();
  expect(themeFor('"><script>')).toBeUndefined();
});

test('a browser that refuses storage still shows the page', () => {
  expect(() => void runInNewContext(THEME_SCRIPT, {})).not.toThrow();
});
