import { expect, test } from 'vitest';
import { spaceHeadings, tellTightHeadings } from '../../../src/lib/importers/tight-headings.ts';
import { unedited } from '../../../src/lib/markdown-file/edits.ts';

const TEXT = [
  '#标题一',
  '##小节',
  '###1.1 步骤',
  '#include <stdio.h>',
  '#!/bin/sh',
  '#话题# 与 #另一个#',
  '## 已有空格',
  '#######七个',
  '```',
  '##代码',
  '```',
  '文 ##中间',
].join('\n');

test('headings without a space get one; other lines that begin with the sign stay', () => {
  expect(spaceHeadings(unedited(TEXT)).text.split('\n')).toEqual([
    '# 标题一',
    '## 小节',
    '### 1.1 步骤',
    ...TEXT.split('\n').slice(3),
  ]);
});

test('they are named with their lines where they stay text', () => {
  expect(tellTightHeadings(unedited(TEXT), (line) => line + 4)).toBe(
    '第 4、5、6 行：# 后面没有空格，不是标题',
  );
  expect(tellTightHeadings(unedited('## 好\n\n#include'), (line) => line)).toBeNull();
});
