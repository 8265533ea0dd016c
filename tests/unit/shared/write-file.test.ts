import { expect, test } from 'vitest';
import { toMarkdownFile } from '../../../src/lib/shared/write-file.ts';
import { splitFrontMatter } from '../../../src/lib/markdown-file/front-matter.ts';

test('an article is written as the importer reads it', () => {
  const fields = {
    title: '说“引号”: 与 \\ 反斜线 #1',
    content: '---\n\n正文\n\n```yaml\ntitle: x\n```',
    tags: ['诗', '- [不是列表]'],
    secret: true,
    description: '两行\n说明',
    licence: 'cc-by-4.0',
  };
  const { metadata, body } = splitFrontMatter(toMarkdownFile(fields));
  expect(body.trim()).toBe(fields.content);
  const { content: _, ...rest } = fields;
  expect(metadata).toEqual(rest);
});
