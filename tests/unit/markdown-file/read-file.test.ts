import { describe, expect, test } from 'vitest';
import { allFields } from '../../../src/lib/contract/rules/authored-fields.ts';
import { toMarkdownFile } from '../../../src/lib/shared/write-file.ts';
import { readMarkdownFile } from '../../../src/lib/markdown-file/read-file.ts';

const read = (text: string, name = '笔记.md') => readMarkdownFile(new TextEncoder().encode(text), name);

describe('a file dropped into the editor', () => {
  test('an exported file round-trips', () => {
    const fields = {
      title: '说“引号”: 与 #1',
      content: '---\n\n正文',
      tags: ['诗', 'C++'],
      secret: true,
      description: '一行说明',
      cover: '/api/file/a1b2.webp',
      licence: 'cc-by-4.0',
      source: 'https://example.com/a',
      comments_closed: true,
      pinned: true,
    };
    const result = read(toMarkdownFile(fields));
    expect(result).toEqual({ fields, lostPictures: 0, notes: [] });
    expect(allFields(result.fields)).toEqual(allFields(fields));
  });

  test('of another generator: its field names and excerpt mark are supported', () => {
    const text =
      '---\ntitle: 搬家\nsummary: 说明\ncategories: [随笔]\ncomments: false\n---\n前言\n<!-- more -->\n后文\n';
    expect(read(text).fields).toEqual({
      title: '搬家',
      content: '前言\n<--阅读全文-->\n后文',
      tags: ['随笔'],
      description: '说明',
      comments_closed: true,
    });
  });

  test.each([
    ['a heading', '# 第一章\n\n正文', '笔记.md', '第一章', '正文'],
    ['the name of the file', '正文', '2024-01-02-春天.md', '春天', '正文'],
  ])('without front matter %s is the title', (_name, text, name, title, content) => {
    expect(read(text, name).fields).toEqual({ title, content });
  });

  test.each([
    ['a section', '# 前言\n\n甲\n\n# 安装\n\n乙', 'Redis 入门.md', 'Redis 入门'],
    ['the only one, but of a section', '# 前言\n\n甲\n\n## 安装\n\n乙', 'Redis 入门.md', 'Redis 入门'],
    ['a later section', '## 开头\n\n甲\n\n# 参考资料\n\n乙', 'Redis 入门.md', 'Redis 入门'],
    ['a letter of the name', '# 1. 前言\n\n甲\n\n# 2. 安装', '1.md', '1'],
  ])('a first heading that is %s stays in the text', (_name, text, name, title) => {
    expect(read(text, name).fields).toEqual({ title, content: text });
  });

  test.each([
    ['# Redis入门（一）\n\n甲\n\n# 安装\n\n乙', 'Redis 入门.md', 'Redis入门（一）'],
    [
      '# Spring Boot 的自动配置\n\n甲\n\n# 原理',
      '2019-05-06-SpringBoot自动配置.md',
      'Spring Boot 的自动配置',
    ],
    ['一段引言。\n\n# 山居\n\n## 前言', 'shan-ju.md', '山居'],
  ])('%j of a file %s is titled after its heading', (text, name, title) => {
    const { fields } = read(text, name);
    expect(fields.title).toBe(title);
    expect(fields.content).not.toContain(`# ${title}`);
  });

  test('exported from Notion is titled without its id', () => {
    expect(read('正文', '山居 0123456789abcdef0123456789abcdef.md').fields.title).toBe('山居');
  });

  test('in GBK is read and reported', () => {
    const bytes = new Uint8Array([0x23, 0x20, 0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0x0a, 0xca, 0xc0, 0xbd, 0xe7]);
    const { fields, notes } = readMarkdownFile(bytes, 'a.md');
    expect(fields).toEqual({ title: '你好', content: '世界' });
    expect(notes).toEqual(['文件不是 UTF-8，已按 GB18030 读取']);
  });

  test('in Big5 is read and reported', () => {
    const bytes = new Uint8Array([0x23, 0x20, 0xc1, 0x63, 0xc5, 0xe9, 0x0a, 0x0a, 0xa4, 0xa4, 0xa4, 0xe5]);
    const { fields, notes } = readMarkdownFile(bytes, 'a.md');
    expect(fields).toEqual({ title: '繁體', content: '中文' });
    expect(notes).toEqual(['文件不是 UTF-8，已按 Big5 读取']);
  });

  test.each(['[TOC]', '[toc]', '[[toc]]', '[[_TOC_]]', '@[TOC](目录)', '@[toc]', '{:toc}', '* 目录\n{:toc}'])(
    'without %j, which asks for a table of contents',
    (mark) => {
      expect(read(`一\n\n${mark}\n\n二`).fields.content).toMatch(/^一\n{3,}二$/);
    },
  );

  test.each([
    '用 [TOC] 生成目录',
    '```\n[TOC]\n```',
    '[TOC]\n\n[toc]: https://a.example',
    '- 目录\n- [TOC]x',
  ])('with %j as it is', (text) => {
    expect(read(text).fields.content).toBe(text);
  });

  test('counts local pictures, each once', () => {
    const pictures = '![](a.png) ![](a.png) ![](./b.png) ![](https://x.cn/c.png) ![](/api/file/d.webp)\n';
    const code = '```\n![](e.png)\n```\n';
    expect(read(`---\ncover: /img/f.jpg\n---\n${pictures}<img src="g.png">\n${code}`).lostPictures).toBe(4);
  });

  test.each([
    ['no text', new Uint8Array([0, 1, 2, 3, 0xff]), '不是文本文件'],
    ['front matter that is none', new TextEncoder().encode('---\na: [\n---\n正文'), '无法解析'],
    ['too long', new TextEncoder().encode('字'.repeat(200_001)), '不能超过 200,000'],
  ])('%s is refused in words', (_name, bytes, words) => {
    expect(() => readMarkdownFile(bytes, 'a.md')).toThrow(words);
  });
});
