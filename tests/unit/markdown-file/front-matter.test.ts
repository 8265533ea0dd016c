import { describe, expect, test } from 'vitest';
import { asSwitch, pick, splitFrontMatter } from '../../../src/lib/markdown-file/front-matter.ts';
import { readTags } from '../../../src/lib/markdown-file/tags.ts';

describe('splitFrontMatter', () => {
  test.each([
    ['YAML', '---\ntitle: a\n---\nbody'],
    ['YAML closed by dots', '---\ntitle: a\n...\nbody'],
    ['YAML of an old Hexo, without the opening line', 'title: a\n---\nbody'],
    ['TOML', '+++\ntitle = "a"\n+++\nbody'],
    ['JSON', '{\n"title": "a"\n}\nbody'],
  ])('reads %s', (_, text) => {
    const { metadata, body } = splitFrontMatter(text);
    expect([metadata, body.trim()]).toEqual([{ title: 'a' }, 'body']);
  });

  test('a body that starts with a rule, a brace or a table has none', () => {
    for (const text of [
      '---\n\n正文\n\n---\n',
      '{% raw %}',
      '{{< figure >}}',
      '--- x',
      '+++',
      '标题\n---\n正文',
      '',
    ]) {
      expect(splitFrontMatter(text)).toEqual({ metadata: {}, body: text });
    }
  });

  test('an empty block is empty front matter', () => {
    expect(splitFrontMatter('---\n---\nbody\n\n---\n')).toEqual({ metadata: {}, body: 'body\n\n---\n' });
  });

  test('an invalid block is refused, so that no draft is published by mistake', () => {
    expect(() => splitFrontMatter('---\ndraft: true\ntitle: a: b\n---\nbody')).toThrow(/YAML 信息无法解析/);
    expect(() => splitFrontMatter('+++\ndraft =\n+++\nbody')).toThrow(/TOML 信息无法解析/);
    expect(() => splitFrontMatter('{"draft": true,}\nbody')).toThrow(/JSON 信息无法解析/);
  });

  test('aliases that would fill memory are refused', () => {
    const bomb = ['a: &a [1,1,1,1,1,1,1,1,1]'];
    for (const [name, former] of ['ba', 'cb', 'dc', 'ed']) {
      bomb.push(`${name}: &${name} [${`*${former},`.repeat(9)}]`);
    }
    expect(() => splitFrontMatter(`---\n${bomb.join('\n')}\n---\nx`)).toThrow(/YAML 信息无法解析/);
  });
});

test('field names ignore case, and booleans may be words', () => {
  expect(pick({ PublishDate: '2024', date: '' }, 'date', 'publishDate')).toBe('2024');
  expect(['yes', 'False', 1, true, 'maybe', null].map(asSwitch)).toEqual([
    true,
    false,
    true,
    true,
    undefined,
    undefined,
  ]);
});

test('tags are read from lists, nested lists and lines', () => {
  const read = (metadata: Record<string, unknown>, isJekyll = false) => readTags(metadata, { isJekyll });
  expect(read({ tags: 'a, b，c', categories: [['d', 'e'], 'f'] })).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(read({ 标签: '甲、乙', 分类: ['丙', null, ''] })).toEqual(['甲', '乙', '丙']);
  expect(read({ tags: 'Spring Boot', category: 2024 })).toEqual(['Spring Boot', '2024']);
  expect(read({ tags: 'ruby web', tag: 'one tag' }, true)).toEqual(['ruby', 'web', 'one tag']);
  expect(read({ taxonomies: { tags: ['zola'] }, tag: null })).toEqual(['zola']);
});

test("Hexo's JSON header ends with semicolons, with or without such a line above", () => {
  const fields = '"title": "JSON 头",\n"date": "2013/7/13 20:46:25",\n"tags": ["甲","乙"]\n;;;\n正文 ;;;\n';
  const metadata = { title: 'JSON 头', date: '2013/7/13 20:46:25', tags: ['甲', '乙'] };
  for (const text of [fields, `;;;\n${fields}`])
    expect(splitFrontMatter(text)).toEqual({ metadata, body: '正文 ;;;\n' });
  expect(() => splitFrontMatter('"title": 无引号\n;;;\n文')).toThrow('JSON 信息无法解析：第 1 行');
  const quoted = '"引文"：开头\n;;;\n文';
  expect(splitFrontMatter(quoted)).toEqual({ metadata: {}, body: quoted });
});

test('lists that tabs indent are read', () => {
  const text = '---\ntitle: 题\ncategories:\n\t- Sports\n\t- Baseball\ntags:\n\t- Injury\n---\n文';
  expect(splitFrontMatter(text)).toEqual({
    metadata: { title: '题', categories: ['Sports', 'Baseball'], tags: ['Injury'] },
    body: '文',
  });
});
