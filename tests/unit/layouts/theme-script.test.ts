import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { THEME_SCRIPT } from '../../../src/layouts/theme-script.ts';

interface Stored {
  theme?: string;
  size?: string;
  width?: string;
  cookie?: string;
}

/** Runs the script in a browser with these stored values; returns what it set on the document. */
function run({ cookie = '', ...stored }: Stored): Omit<Stored, 'cookie'> & { user?: string } {
  const dataset = {};
  runInNewContext(THEME_SCRIPT, {
    localStorage: stored,
    document: { cookie, documentElement: { dataset } },
  });
  return dataset;
}

const NOTHING = { theme: '', size: '', width: '' };

test('theme, text size and line width are set as they are stored, or else empty', () => {
  for (const stored of [{ theme: 'dark' }, { theme: 'system', width: 'wide' }, { size: 'large' }])
    expect(run(stored)).toEqual({ ...NOTHING, ...stored });
  expect(run({})).toEqual(NOTHING);
});

test('a name in the cookies marks the page as signed in', () => {
  for (const cookie of ['user=lin', 'a=1; user=lin; token=x'])
    expect(run({ cookie })).toEqual({ user: '', ...NOTHING });
  for (const cookie of ['', 'user=', 'superuser=1', 'token=x; xuser=lin'])
    expect(run({ cookie })).toEqual(NOTHING);
});

test('a browser that refuses storage still shows the page', () => {
  const document = { cookie: '', documentElement: { dataset: {} } };
  expect(() => void runInNewContext(THEME_SCRIPT, { document })).not.toThrow();
});
