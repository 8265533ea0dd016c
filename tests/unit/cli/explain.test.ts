import { expect, test } from 'vitest';
import { explain, isClear } from '../../../src/lib/server/operations/explain.ts';

const systemError = (facts: NodeJS.ErrnoException | Record<string, unknown>) =>
  Object.assign(new Error('a message of the system'), facts);

test.each([
  [{ code: 'EACCES', syscall: 'open', path: '/var/backups/a' }, '不能打开 /var/backups/a：没有权限'],
  [{ code: 'EACCES', syscall: 'access', path: '/var/backups' }, '不能读写 /var/backups：没有权限'],
  [{ code: 'EACCES', syscall: 'mkdir', path: '/srv/x' }, '不能新建文件夹 /srv/x：没有权限'],
  [{ code: 'ENOENT', syscall: 'stat', path: 'a.csv' }, '不能查看 a.csv：文件或文件夹不存在'],
  [{ code: 'EXDEV', syscall: 'rename', path: '/a', dest: '/b' }, '不能改名 /a → /b：不在同一个文件系统里'],
  [{ code: 'EROFS', syscall: 'newcall', path: '/a' }, '不能使用 /a：文件系统是只读的'],
  [{ code: 'ENOSPC', syscall: 'write' }, '磁盘已满'],
])('%j is explained with its operation and path', (facts, text) => {
  const error = systemError(facts);
  expect(isClear(error)).toBe(true);
  expect(explain(error)).toBe(text);
});

test('an unknown error keeps its message, and its stack is shown', () => {
  const error = systemError({ code: 'ENEW', syscall: 'open', path: '/a' });
  expect(isClear(error)).toBe(false);
  expect(explain(error)).toBe('a message of the system');
});
