import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { THEME_SCRIPT } from '../../../src/layouts/theme-script.ts';

interface Stored {
  theme?: string;
  cookie?: string;
}

/** Runs the script in a browser with these stored values; returns what it set on the document. */
function run({ theme, cookie = '' }: Stored): { theme?: string; user?: string } {
  const dataset = {};
  runInNewContext(THEME_SCRIPT, {
    localStorage: theme === undefined ? {} : { theme },
    document: { cookie, documentElement: { dataset } },
  });
  return dataset;
}

test('the dark theme or that of the system is set when chosen, otherwise light', () => {
  for (const theme of ['dark', 'system']) expect(run({ theme })).toEqual({ theme });
  for (const theme of ['light', '', '"><script>', undefined])
    expect(run(theme === undefined ? {} : { theme })).toEqual({});
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
