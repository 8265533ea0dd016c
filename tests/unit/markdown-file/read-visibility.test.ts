import { describe, expect, test } from 'vitest';
import { splitFrontMatter } from '../../../src/lib/markdown-file/front-matter.ts';
import { readVisibility } from '../../../src/lib/markdown-file/read-visibility.ts';

const NOW = Date.UTC(2026, 0, 1);
const read = (source: string) => {
  const { metadata } = splitFrontMatter(`---\n${source}\n---\n正文`);
  return readVisibility(metadata, NOW);
};

describe('an article public on its old site', () => {
  test.each([
    'title: private',
    'draft: false',
    'published: 2020-01-01',
    'published: true',
    'status: published',
    'status: evergreen',
    'visibility: public',
    'layout: post',
    'type: post',
    'password: ""',
    'private: false',
    'hidden: no',
    'share: true',
    'expiryDate: 2099-01-01',
    'date: 2020-01-01',
    'tags: [private, 隐藏]',
    'categories: 加密',
    'keywords: private',
    'author: secret',
    'permalink: /hidden/',
    'slug: draft',
    'index: true',
    'index: 0',
    'sitemap: {changefreq: weekly}',
    'build: {render: always, list: always}',
    'hidemeta: true',
    'hide_title: true',
    'hide_table_of_contents: true',
    'hideSummary: true',
    'cover: {hidden: true}',
    'showToc: false',
    'show_sidebar: false',
    'toc: false',
    'comments: false',
    'sidebar: false',
    'robots: index, follow',
    'image: private.png',
  ])('%s stays public', (source) => {
    expect(read(source)).toEqual({ isDraft: false, isSecret: false, warnings: [], fields: [] });
  });
});

describe('an article not public on its old site', () => {
  test.each([
    'draft: true',
    'draft: later',
    'Draft: yes',
    'isDraft: true',
    'wip: true',
    'published: false',
    'publish: no',
    'isPublished: false',
    'is_published: 0',
    'status: draft',
    'status: 草稿',
    'state: Draft',
    'post_status: pending',
    'layout: draft',
  ])('%s makes a draft', (source) => {
    expect(read(source).isDraft).toBe(true);
  });

  test.each([
    'hidden: true',
    'hide: yes',
    'secret: true',
    'private: 1',
    'params: {hidden: true}',
    'extra: {private: true}',
  ])('%s makes a secret article without a warning', (source) => {
    expect(read(source)).toMatchObject({ isDraft: false, isSecret: true, warnings: [] });
  });

  test.each([
    'status: private',
    'status: hidden',
    'state: 私密',
    'visibility: friends',
    'access: members',
    'visibility: false',
    'unlisted: true',
    'encrypt: true',
    'encrypted: true',
    'public: false',
    'isPublic: false',
    'visible: false',
    'share: false',
    'listed: false',
    'dg-publish: false',
    'searchable: false',
    'index: false',
    'article: false',
    'show: false',
    'showInHome: false',
    'sitemap: false',
    'feed: false',
    'robots: noindex, nofollow',
    'noindex: true',
    'robotsNoIndex: true',
    'sitemap_exclude: true',
    'headless: true',
    'build: {render: never}',
    'build: {list: local}',
    '_build: {render: false}',
    'expiryDate: 2020-01-01',
    'unpublishDate: 2020-01-01',
    'expiryDate: 去年',
    'expired: true',
    'hidden: [home]',
    'hiddenInHomeList: true',
    'hideFromFeed: true',
    'is_private: true',
    '加密: true',
    '公开: false',
    '范围: 仅自己可见',
    'audience: internal',
    'circle: private',
    'members_only: true',
    'lock: true',
  ])('%s makes a secret article with a warning', (source) => {
    const { isDraft, isSecret, warnings } = read(source);
    expect([isDraft, isSecret]).toEqual([false, true]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('已导入为仅自己可见');
  });

  test.each(['password: 0', 'password: abc', 'pwd: 1234', 'access_password: 芝麻', '密码: 芝麻'])(
    '%s makes a secret article; the password is not repeated',
    (source) => {
      expect(read(source)).toMatchObject({
        isDraft: false,
        isSecret: true,
        warnings: ['原文设有密码，已导入为仅自己可见'],
      });
    },
  );

  test('a long value is cut', () => {
    expect(read(`private: ${'很'.repeat(100)}`).warnings[0]).toContain(`“private: ${'很'.repeat(40)}…”`);
  });
});
