import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const PICTURE = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#135' } })
  .png()
  .toBuffer();
const STORED = /\/api\/file\/[0-9a-f]{32}-40x20\.png/g;

/** Imports files; returns texts by title, with names for stored pictures and ids, and the report's lines. */
async function importing(files: Record<string, string | Uint8Array>, folder = stage.folder) {
  stage.put(files);
  const report = await stage.run({ folder });
  const articles = await stage.articles();
  const ids = new Map([...articles.values()].map(({ _id, title }) => [_id, title]));
  const texts = [...articles.values()].map(({ title, content }): [string, string] => [
    title,
    content
      .replace(STORED, 'stored.png')
      .replace(/\/detail\/([0-9a-f]{24})/g, (_, id: string) => `/detail/${ids.get(id)}`),
  ]);
  const lines = report.warnings.map(({ path, text }) => `${path}：${text}`);
  return { report, texts: Object.fromEntries(texts), lines };
}

describe('an Obsidian vault', () => {
  test('links, pictures, highlights and callouts are as in the vault, the rest is told', async () => {
    const { texts, lines } = await importing({
      '.obsidian/app.json': '{}',
      '附件/图.png': PICTURE,
      '附件/手册.pdf': 'x',
      '板.canvas': '{}',
      '画.excalidraw.md': '---\nexcalidraw-plugin: parsed\n---\n画',
      '笔记/甲.md': '## 第二 节\n\n文 ^block1',
      '笔记/乙.md': [
        '---\ncover: "[[图.png]]"\n---',
        '[[甲]] [[甲|名]] [[甲#第二 节]] [[甲#^block1]]',
        '![[图.png|20]] ![[图.png|说明]] ![](图.png)',
        '',
        '==亮== ![[手册.pdf]] ![[甲]] [[没有|别名]]',
        '',
        '> [!faq]- 问\n> 答',
      ].join('\n'),
    });
    expect(texts['甲']).toBe('## 第二 节\n\n文');
    expect(texts['乙']).toBe(
      [
        '[甲](/detail/甲) [名](/detail/甲) [甲 › 第二 节](/detail/甲#第二-节) [甲 › block1](/detail/甲)',
        '<img src="stored.png" alt="" width="20"> ![说明](stored.png) ![](stored.png)',
        '',
        '<mark>亮</mark> （附件没有导入：`手册.pdf`） [甲](/detail/甲) 别名',
        '',
        '::: details 问\n答\n:::',
      ].join('\n'),
    );
    expect((await stage.articles()).get('乙')?.cover).toMatch(STORED);
    expect(lines).toEqual([
      '板.canvas：不是 Markdown 文件，没有导入',
      '画.excalidraw.md：Excalidraw 的绘图，没有导入',
      '笔记/乙.md：第 4 行：指向段落的链接改为指向全文：[[甲#^block1]]',
      '笔记/乙.md：第 7 行：附件没有导入，文中留下说明：![[手册.pdf]]',
      '笔记/乙.md：第 7 行：嵌入的笔记改成了链接：![[甲]]',
      '笔记/乙.md：第 7 行：找不到链接的文章，只留下文字：[[没有|别名]]',
    ]);
  });

  test('a folder of it finds its pictures elsewhere in the vault, and nothing outside', async () => {
    const { texts, lines } = await importing(
      {
        '外.png': PICTURE,
        '库/.obsidian/app.json': '{}',
        '库/附件/图.png': PICTURE,
        '库/博客/甲.md': '![[图.png]] ![[外.png]] [[../../外]]',
      },
      `${stage.folder}/库/博客`,
    );
    expect(texts['甲']).toBe('![](stored.png) （图片缺失：`外.png`） 外');
    expect(lines).toHaveLength(2);
  });

  test('its README is a note, the documents of a repository are not', async () => {
    const files = { '库/.obsidian/app.json': '{}', '库/README.md': '# 说明\n\n字', '库/甲.md': '[[README]]' };
    const vault = await importing(files, `${stage.folder}/库`);
    expect(Object.keys(vault.texts)).toEqual(expect.arrayContaining(['说明', '甲']));
    expect(vault.texts['甲']).toBe('[README](/detail/说明)');
    expect([vault.report.pages, vault.lines]).toEqual([[], []]);
    const project = { '项目/package.json': '{}', '项目/README.md': '字', '项目/甲.md': '字' };
    const { report } = await importing(project, `${stage.folder}/项目`);
    expect(report.counts).toMatchObject({ created: 1 });
  });

  test('a second run changes nothing, and a dry run reports the same', async () => {
    const files = { '.obsidian/a': '', 'a.md': '[[b]] ![[p.png]] [[c]]', 'b.md': '乙', 'p.png': PICTURE };
    stage.put(files);
    const foreseen = await stage.run({ isDryRun: true });
    const report = await stage.run();
    expect(report.warnings).toEqual(foreseen.warnings);
    expect((await stage.run()).counts).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });
});

describe('paths and spellings of other tools', () => {
  test('paths of the author’s computer become a note, or the file if the folder has it', async () => {
    const { texts, lines } = await importing({
      'img/在.png': PICTURE,
      '甲.md': [
        '![](C:\\Users\\x\\a.png) ![图](D:/b/c.png) ![](file:///Users/x/d.png) ![](\\\\nas\\share\\e.png)',
        '![](D:\\blog\\img\\在.png) <img src="file:///D:/blog/img/在.png">',
        '[表](file:///C:/x/y.docx) [乙](D:\\blog\\乙.md)',
      ].join('\n'),
      '乙.md': '乙',
    });
    expect(texts['甲']).toBe(
      [
        '（图片缺失：`a.png`） （图片缺失“图”：`c.png`） （图片缺失：`d.png`） （图片缺失：`e.png`）',
        '![](stored.png) <img src="stored.png">',
        '（附件没有导入“表”：`y.docx`） [乙](/detail/乙)',
      ].join('\n'),
    );
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toContain('路径在作者的电脑上，没有导入，文中留下说明：');
  });

  test('names with spaces and sizes are read', async () => {
    const { texts, lines } = await importing({
      '图 片.png': PICTURE,
      '我 的.md': '文',
      '甲.md': '![](图 片.png) [见](我 的.md)\n\n![图](图%20片.png =600x400)\n\n![](没 有.png)',
    });
    expect(texts['甲']).toBe(
      [
        '![](<stored.png>) [见](</detail/我 的>)',
        '<p><img src="stored.png" alt="图" width="600" height="400"></p>',
        '（图片缺失：`没 有.png`）',
      ].join('\n\n'),
    );
    expect(lines).toEqual([
      '甲.md：图片的尺寸标记改成了 HTML 的 width 和 height',
      '甲.md：找不到图片，文中留下说明：没 有.png',
    ]);
  });
});

describe('files', () => {
  test('MDX is imported with components as code, each named', async () => {
    const { report, texts, lines } = await importing({
      '图.png': PICTURE,
      '甲.mdx': [
        '---\ntitle: 甲\n---',
        "import Tabs from '@theme/Tabs'\nimport pic from './图.png'",
        '',
        '见 [乙](./乙.mdx)，有 **字**。',
        '',
        '<Tabs>',
        '',
        '里面的 *字*',
        '',
        '</Tabs>',
        '',
        '<img src={pic} style={{ width: 20 }} alt="图" />',
      ].join('\n'),
      '乙.mdx': '乙 {1 + 1}',
    });
    expect(report.counts).toMatchObject({ created: 2, failed: 0 });
    expect(texts['甲']?.trim()).toBe(
      [
        '见 [乙](/detail/乙)，有 **字**。',
        '```jsx\n<Tabs>\n```',
        '里面的 *字*',
        '```jsx\n</Tabs>\n```',
        '<img src="stored.png"  alt="图" />',
      ].join('\n\n'),
    );
    expect(lines).toEqual([
      '乙.mdx：表达式保留为代码：第 1 行',
      '甲.mdx：import 语句没有导入：第 4 行',
      '甲.mdx：组件 <Tabs> 保留为代码：第 9 行',
    ]);
  });

  test('an invalid byte is replaced and told with its line', async () => {
    const { report, texts, lines } = await importing({
      '甲.md': Buffer.concat([
        Buffer.from('第一行是完整的\n第二行'),
        Buffer.from([0xb0]),
        Buffer.from('坏了\n'),
      ]),
    });
    expect(report.counts).toMatchObject({ created: 1, failed: 0 });
    expect(texts['甲']).toBe('第一行是完整的\n第二行\ufffd坏了');
    expect(lines).toEqual(['甲.md：第 2 行有无法解码的字节，已换成“\ufffd”']);
  });

  test('Big5 is read', async () => {
    // 中文, 繁體 in Big5.
    const bytes = [0xa4, 0xa4, 0xa4, 0xe5, 0x0a, 0xc1, 0x63, 0xc5, 0xe9];
    const { texts, lines } = await importing({ '甲.md': new Uint8Array(bytes) });
    expect(texts['甲']).toBe('中文\n繁體');
    expect(lines).toEqual(['甲.md：文件不是 UTF-8，已按 Big5 读取']);
  });

  test('marks for a table of contents go', async () => {
    const { texts, lines } = await importing({
      '甲.md': '[TOC]\n\n一\n\n@[TOC](目录)\n二\n\n[[toc]]\n\n三',
    });
    expect(texts['甲']?.replace(/\n+/g, '\n').trim()).toBe('一\n二\n三');
    expect(lines).toEqual([]);
  });

  test('the report has no line of a library', async () => {
    const { report, lines } = await importing({
      'template.md': '---\ntitle: {{ title }}\n---\n正文',
      'yaml.md': '---\ntitle: a: b\n---\n正文',
      'toml.md': '+++\na = 1\nb = \n+++\n正文',
    });
    expect(report.failures).toEqual([
      { path: 'toml.md', reason: '文件开头的 TOML 信息无法解析：第 3 行“b =”' },
      { path: 'yaml.md', reason: '文件开头的 YAML 信息无法解析：第 2 行“title: a: b”' },
    ]);
    expect(lines).toEqual(['template.md：无法识别的“title”，没有导入']);
  });
});

describe('Hexo', () => {
  const files = {
    'json.md': '"title": "JSON 头",\n"date": "2013/7/13 20:46:25",\n"tags": ["甲","乙"]\n;;;\n正文',
    'tabs.md': '---\ntitle: 制表符\ncategories:\n\t- Sports\ntags:\n\t- Injury\n---\n正文',
    'old.md': '---\ntitle: 旧日文章\ndate: 1965-05-05 10:00:00\ntags: 旧\n---\n一九六五',
    'tight.md':
      '---\ntitle: 无空格\ntags: 题\n---\n#标题一\n\n##小节\n\n#include <stdio.h>\n\n<font>红</font>',
  };

  test('headers, dates and headings are read as the product reads them', async () => {
    const posts = Object.entries(files).map(([name, text]): [string, string] => [
      `source/_posts/${name}`,
      text,
    ]);
    stage.put({ '_config.yml': 'theme: landscape\n', ...Object.fromEntries(posts) });
    const report = await stage.run();
    const articles = await stage.articles();
    const json = articles.get('JSON 头');
    expect(json?.content).toBe('正文');
    expect(json?.tags).toEqual(['甲', '乙']);
    expect(articles.get('制表符')?.tags).toEqual(['Injury', 'Sports']);
    expect(Date.parse(articles.get('旧日文章')?.create_time ?? '')).toBe(
      Date.parse('1965-05-05T10:00:00+08:00'),
    );
    expect(articles.get('无空格')?.content).toBe(
      '# 标题一\n\n## 小节\n\n#include <stdio.h>\n\n<font>红</font>',
    );
    expect(report.warnings.map(({ text }) => text)).toContain(
      '文章里不能用 <font>，标签会去掉，其中的文字保留（正文第 7 行）',
    );
  });

  test('in other folders, lines that are no headings here are named', async () => {
    const { lines, texts } = await importing({ 'tight.md': files['tight.md'] });
    expect(texts['无空格']).toContain('##小节');
    expect(lines).toContain('tight.md：第 5、7 行：# 后面没有空格，不是标题');
  });
});

test('pictures inside of texts become files, and those that cannot be read are named', async () => {
  const address = `data:image/png;base64,${PICTURE.toString('base64')}`;
  const { texts, lines } = await importing({
    'a.md': [
      '---\ntitle: 内嵌\ntags: 图\n---',
      `前 ![图](${address}) 后`,
      '',
      '![引用图][p1]',
      '',
      `<img src="${address}">`,
      '',
      `\`![](${address})\``,
      '',
      `[p1]: ${address}`,
    ].join('\n'),
    'b.md': [
      '---\ntitle: 坏的\ntags: 图\n---',
      '甲 ![页](data:text/html;base64,PGI+)',
      '',
      `乙 ![断](${address.slice(0, 60)})`,
      '',
      `丙 ![大](data:image/png;base64,${'A'.repeat(28_000_000)})`,
    ].join('\n'),
  });
  expect(texts['内嵌']).toBe(
    [
      '前 ![图](stored.png) 后',
      '',
      '![引用图][p1]',
      '',
      '<img src="stored.png">',
      '',
      `\`![](${address})\``,
      '',
      '[p1]: stored.png',
    ].join('\n'),
  );
  expect(texts['坏的']).toBe(
    [
      '甲 （图片缺失“页”：`内嵌的图片`）',
      '',
      '乙 （图片缺失“断”：`内嵌的图片`）',
      '',
      '丙 （图片缺失“大”：`内嵌的图片`）',
    ].join('\n'),
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      'b.md：内嵌的图片没有导入，文中留下说明（不是图片，而是 text/html）',
      expect.stringMatching(/^b\.md：内嵌的图片没有导入，文中留下说明（无法识别的图片/),
      'b.md：内嵌的图片没有导入，文中留下说明（图片超过 16 MiB）',
    ]),
  );
});

test('pictures in raw HTML that are loaded late are stored by their real address', async () => {
  const { texts } = await importing({
    'a.png': PICTURE,
    'a.md':
      '---\ntitle: 迟\ntags: 图\n---\n<img class="lazy" src="data:image/gif;base64,R0lGOD" data-src="a.png" alt="甲">\n\n`<img data-src="a.png">`',
  });
  expect(texts['迟']).toBe('<img class="lazy" src="stored.png" alt="甲">\n\n`<img data-src="a.png">`');
});
