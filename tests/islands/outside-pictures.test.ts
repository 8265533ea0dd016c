import { beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../src/lib/client/call-error.ts';
import {
  $pictureImport,
  importPictures,
  forgetFailed,
  stopImport,
} from '../../src/lib/stores/pictures/outside-pictures.ts';

const answers = vi.hoisted(() => new Map<string, PromiseWithResolvers<{ url: string }>>());
vi.mock('../../src/lib/stores/api.ts', () => ({
  call: (_name: string, { url }: { url: string }) => {
    const answer = Promise.withResolvers<{ url: string }>();
    answers.set(url, answer);
    return answer.promise;
  },
}));

const settled = () => new Promise(setImmediate);
const arrived: [string, string][] = [];
const take = (...addresses: string[]) =>
  importPictures(addresses, (address, url) => arrived.push([address, url]));
beforeEach(() => {
  stopImport();
  forgetFailed();
  answers.clear();
  arrived.length = 0;
});

test('each copy is reported as it arrives; failures have a reason', async () => {
  void take('a', 'b');
  await settled();
  answers.get('b')?.resolve({ url: '/b' });
  await settled();
  expect($pictureImport.get()).toEqual({ total: 2, done: 1, failed: [], isRunning: true });
  answers.get('a')?.reject(new CallError('refused', '对方网站上已经没有这张图片', 200));
  await settled();
  expect(arrived).toEqual([['b', '/b']]);
  const failed = [{ address: 'a', reason: '对方网站上已经没有这张图片' }];
  expect($pictureImport.get()).toEqual({ total: 2, done: 2, failed, isRunning: false });
});

test('more can join a run in progress; after a stop nothing arrives', async () => {
  void take('a');
  void take('b', 'c');
  await settled();
  expect($pictureImport.get()).toMatchObject({ total: 3, isRunning: true });
  stopImport();
  answers.get('a')?.resolve({ url: '/a' });
  answers.get('b')?.resolve({ url: '/b' });
  await settled();
  expect([arrived, $pictureImport.get().isRunning, answers.has('c')]).toEqual([[], false, false]);
});
