import { expect, test } from 'vitest';
import { hasLongRun } from '../../../src/lib/shared/title-runs.ts';

test.for([
  ['', false],
  ['梅雨季的书房', false],
  ['被退回的一篇：标题也不短，看看状态放在哪里', false],
  ['小站的备份：三份、两种介质、一份在别处', false],
  ['A Very Long English Title About Server Side Rendering Without Any Frameworks', false],
  ['MySQL 事务隔离级别详解（图文）', false],
  // With its colon as wide as 13 characters: on a phone the colon would begin the second line.
  ['把一个十年的博客搬到新家：从数据导出', true],
  ['以及路上踩过的十七个坑和没有踩到的那些', true],
  ['前言，图片整理到旧链接跳转的完整记录', true],
  ['Donaudampfschifffahrtsgesellschaft', true],
  ['𠀀'.repeat(12), false],
  ['𠀀'.repeat(13), true],
] as const)('%s has a run wider than a line of a phone: %s', ([title, isLong]) => {
  expect(hasLongRun(title)).toBe(isLong);
});
