import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSiteSettings } from '../../../src/lib/server/config/site-settings-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moye-site-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (content: unknown) =>
  writeFileSync(join(folder, 'site.json'), typeof content === 'string' ? content : JSON.stringify(content));

test('without a file the site has the project’s defaults', () => {
  const { configured, logo, accent } = readSiteSettings(folder, {});
  expect(configured).toEqual({
    title: '墨页',
    description: '把想法写下来，让文字自己说话。',
    beian: '',
    police_beian: '',
    providers: [],
    sso_only: false,
    verification: {},
    indexnow_key: '',
    footer: '',
    licence: '',
    seal: '',
    nav: {},
    links: [],
  });
  expect([logo, accent]).toEqual([null, null]);
});

test('the file’s settings apply, the environment overrides them, SITE_JSON replaces the file', () => {
  const links = [{ text: '关于', href: '/detail/0123456789abcdef01234567' }];
  put({ title: '纸上', beian: '京ICP备1号', links, nav: { '/lab/list': null }, accent: '#8A2BE2' });
  expect(readSiteSettings(folder, { SITE_TITLE: '山居' })).toMatchObject({
    configured: { title: '山居', beian: '京ICP备1号', links, nav: { '/lab/list': null } },
    accent: '#8a2be2',
  });
  const { configured } = readSiteSettings(folder, { SITE_JSON: '{"footer":"一九九九"}' });
  expect(configured).toMatchObject({ title: '墨页', beian: '', footer: '一九九九' });
});

test('navigation, nav and links are one field with one source', () => {
  put({ nav: { '/lab/list': null } });
  expect(readSiteSettings(folder, {}).sources).toEqual(
    Object.fromEntries(['nav', 'navigation', 'links'].map((field) => [field, 'site.json'])),
  );
});

test('a byte order mark is ignored', () => {
  put('\uFEFF{"title":"纸上"}');
  expect(readSiteSettings(folder, {}).configured.title).toBe('纸上');
});

describe('is refused in one line that names file, field and what is expected:', () => {
  test.each([
    ['{"title":', 'is not JSON'],
    ['[]', 'expected object'],
    [{ titel: '纸上' }, 'Unrecognized key: "titel"; known are title, description'],
    [{ title: '' }, 'title: must be a text of at most 40 characters on one line'],
    [{ title: '一\n二' }, 'title: must be'],
    [{ title: 3 }, 'title: must be'],
    [{ description: 'x'.repeat(201) }, 'description: must be'],
    [{ police_beian: '京公网安备' }, 'police_beian: must be like'],
    [{ licence: 'MIT' }, 'licence: must be one of all-rights-reserved, cc-by-4.0'],
    [{ nav: { '/lab': '实验' } }, 'nav["/lab"]: is none of /home, '],
    [{ nav: { '/home': '一二三四五六七八九十甲乙丙' } }, 'nav["/home"]: must be'],
    [{ links: [{ text: '关于', href: 'javascript:alert(1)' }] }, 'links[0].href: must be a path'],
    [{ links: [{ text: '关于', href: '//evil.example' }] }, 'links[0].href: must be a path'],
    [{ links: [{ text: '关于', href: '/a', rel: 'x' }] }, 'links[0]: Unrecognized key: "rel"'],
    [{ links: Array.from({ length: 5 }, () => ({ text: '关于', href: '/a' })) }, 'links: must be at most 4'],
    [
      { navigation: [{ text: '关于', href: 'javascript:alert(1)', place: 'footer' }] },
      'navigation[0].href: must',
    ],
    [
      { navigation: [{ text: '关于', href: '/a', place: 'top' }] },
      'navigation[0].place: must be one of header',
    ],
    [{ accent: 'purple' }, 'accent: must be a colour like'],
    [{ logo: '../../etc/passwd.png' }, 'logo: must be the name'],
    [{ logo: 'logo.gif' }, 'logo: must be the name'],
    [{ logo: 'logo.svg' }, 'logo: '],
  ])('%j', (content, message) => {
    put(content);
    const read = () => readSiteSettings(folder, {});
    expect(read).toThrow(message);
    expect(read).toThrow(join(folder, 'site.json'));
    expect(read).not.toThrow('\n');
  });

  test('errors in SITE_JSON, with that name', () => {
    expect(() => readSiteSettings(folder, { SITE_JSON: '{"accent":"red"}' })).toThrow(
      'SITE_JSON: accent: must be',
    );
  });
});
