import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { palette } from '../../../src/lib/shared/palette.ts';
import { THEME_SCRIPT } from '../../../src/layouts/theme-script.ts';

interface Stored {
  theme?: string;
  cookie?: string;
  isSystemDark?: boolean;
}

/** Runs the script in a browser with these stored values; returns what it set on the document. */
function run({ theme, cookie = '', isSystemDark = false }: Stored) {
  const dataset = {};
  const meta = { content: 'light' };
  runInNewContext(THEME_SCRIPT, {
    localStorage: theme === undefined ? {} : { theme },
    matchMedia: () => ({ matches: isSystemDark }),
    document: { cookie, documentElement: { dataset }, querySelector: () => meta },
  });
  return { ...dataset, ...(meta.content === 'light' ? {} : { bars: meta.content }) };
}
const dark = { theme: 'dark', bars: palette.dark.paper };

test('the dark theme is set when chosen, otherwise light', () => {
  expect(run({ theme: 'dark' })).toEqual(dark);
  expect(run({ isSystemDark: true })).toEqual({});
  for (const theme of ['light', '', '"><script>', undefined])
    expect(run(theme === undefined ? {} : { theme })).toEqual({});
});

test('the system decides only for readers who chose that', () => {
  expect(run({ theme: 'system', isSystemDark: true })).toEqual({ ...dark, system: '' });
  expect(run({ theme: 'system' })).toEqual({ system: '' });
  expect(run({ theme: 'light', isSystemDark: true })).toEqual({});
});

test('a name in the cookies marks the page as signed in', () => {
  for (const cookie of ['user=lin', 'a=1; user=lin; token=x']) expect(run({ cookie })).toEqual({ user: '' });
  for (const cookie of ['', 'user=', 'superuser=1', 'token=x; xuser=lin'])
    expect(run({ cookie })).toEqual({});
});

test('a browser that refuses storage still shows the page', () => {
  const document = { cookie: '', documentElement: { dataset: {} } };
  expect(() => void runInNewContext(THEME_SCRIPT, { document })).not.toThrow();
});
