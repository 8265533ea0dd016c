import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

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

describe('files', () => {
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
