import { describe, expect, test } from 'vitest';
import { articleFromHtml } from '../../../src/lib/markdown/from-html/article.ts';
import { fromHtml } from '../../../src/lib/markdown/from-html/from-html.ts';
import { renderMarkdown } from '../../../src/lib/markdown/render.ts';

/** A paragraph or heading as Word writes it on the clipboard. */
const word = (tag: string, level: number, sign: string, text: string) =>
  `<${tag} class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'>` +
  `<![if !supportLists]><span lang=EN-US><span style='mso-list:Ignore'>${sign}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}</${tag}>\n`;
const item = (level: number, sign: string, text: string) => word('p', level, sign, text);
const plain = (text: string) => `<p class=MsoNormal>${text}</p>\n`;

const paste = async (body: string) =>
  (await fromHtml(`<html><body><!--StartFragment-->${body}<!--EndFragment--></body></html>`))?.markdown;

describe('headings with automatic numbers', () => {
  const source =
    word('h1', 1, '1', '概述') + plain('正文一。') + word('h2', 2, '1.1', '背景') + plain('正文二。');

  test('stay headings, with their numbers', async () => {
    expect(await paste(source)).toBe('# 1 概述\n\n正文一。\n\n## 1.1 背景\n\n正文二。');
  });

  test('also in an imported article', async () => {
    const { markdown } = await articleFromHtml(source, { resolve: (address) => address });
    expect(markdown).toContain('## 1.1 背景');
  });

  test('also below the sixth level', async () => {
    const deep = word('p', 7, '1.1.1.1.1.1.1', '深处').replace('MsoListParagraph', 'MsoHeading7');
    expect(await paste(deep)).toBe('###### 1.1.1.1.1.1.1 深处');
  });
});

describe('numbered lists', () => {
  test('go on after a paragraph', async () => {
    expect(await paste(item(1, '1.', '安装') + plain('如下图。') + item(1, '2.', '启动'))).toBe(
      '1. 安装\n\n如下图。\n\n2. 启动',
    );
  });

  test.each([
    ['c)', '3. 甲'],
    ['iv.', '4. 甲'],
    ['i.', '1. 甲'],
    ['三、', '3. 甲'],
    ['二十一、', '21. 甲'],
    ['（12）', '12. 甲'],
  ])('that start at %s', async (sign, markdown) => {
    expect(await paste(item(1, sign, '甲'))).toBe(markdown);
  });
});

describe('signs that Markdown cannot write', () => {
  test.each([
    ['第一条', '第一条 甲'],
    ['1.1', '1.1 甲'],
    ['①', '① 甲'],
    ['Q1：', 'Q1： 甲'],
    ['附件A', '附件A 甲'],
  ])('%s stays as text', async (sign, markdown) => {
    expect(await paste(`${plain('<b>前</b>')}${item(1, sign, '甲')}`)).toBe(`**前**\n\n${markdown}`);
  });

  test('inside a list they are items', async () => {
    expect(
      await paste(item(1, '1.', '甲') + item(2, '1.1', '乙') + item(2, '1.2', '丙') + item(1, '2.', '丁')),
    ).toBe('1. 甲\n\n   - 1.1 乙\n   - 1.2 丙\n\n2. 丁');
  });

  test.each(['·', '●', 'l', 'Ø', '➢', ''])('%s is a bullet', async (sign) => {
    expect(await paste(item(1, sign, '甲'))).toBe('- 甲');
  });
});

test('outlines of nine levels keep their levels', async () => {
  const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const markdown = await paste(
    levels.map((level) => item(level, level % 2 ? '1.' : '·', `第${level}层`)).join(''),
  );
  const { html } = await renderMarkdown(markdown ?? '');
  expect(html.match(/<[ou]l[ >]/g)).toHaveLength(9);
  expect(html).toMatch(/第1层[^]*<ul>[^]*第2层[^]*<ol>[^]*第9层/);
  expect(
    await paste(levels.map((level) => item(level, '1.'.repeat(level), `第${level}层`)).join('')),
  ).toContain('1.1.1.1.1.1.1.1.1. 第9层');
});
