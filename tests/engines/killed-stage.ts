import { once } from 'node:events';
import { expect } from 'vitest';
import { ENGINE, type TestStorage } from '../engine.ts';
import { startMoye } from './import-command.ts';

export const articleCount = ({ count }: TestStorage) => count('select count(*) from articles');
export const commentCount = ({ count }: TestStorage) => count('select count(*) from comments');

/** Checks that every stored counter equals what it counts; all articles are public. */
export async function expectConsistent(storage: TestStorage): Promise<void> {
  const { count, rows } = storage;
  if (ENGINE === 'sqlite') {
    expect(await rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await rows('pragma foreign_key_check')).toEqual([]);
  }
  const articles = await count('select count(*) from articles where is_public = 1');
  expect(await articleCount(storage)).toBe(articles);
  expect(await count('select coalesce(sum(page_num), 0) from users')).toBe(articles);
  const counted = (name: string) =>
    count(`select coalesce(max(value), 0) from counters where name = '${name}'`);
  expect(await counted('users')).toBe(await count('select count(*) from users'));
  expect(await counted('public_articles')).toBe(articles);
  expect(await count('select count(*) from article_bodies')).toBe(articles);
  expect(await count('select count(*) from search_documents')).toBe(articles);
  const wrongTags = `select count(*) from tags where page_num !=
    (select count(*) from article_tags where tag_id = tags.id and is_public = 1)`;
  expect(await count(wrongTags)).toBe(0);
}

/** Checks an import from another product: the recorded items exist, and the existing items are recorded. */
export async function expectRemembered(storage: TestStorage): Promise<void> {
  const taken = (kind: string) =>
    storage.count(`select count(*) from imports where source like 'site:%:${kind}:%' and digest != ''`);
  expect(await taken('article')).toBe(await articleCount(storage));
  expect(await taken('comment')).toBe(await commentCount(storage));
}

/** Runs a command and sends `signal` as soon as `isTime` is true; resolves to its exit status and output. */
export async function signalWhen(
  storage: TestStorage,
  words: readonly string[],
  signal: NodeJS.Signals,
  isTime: (pid: number) => boolean | Promise<boolean>,
): Promise<{ end: unknown[]; output: string; errors: string }> {
  const running = startMoye(storage, words);
  const ended = once(running, 'close');
  const said = { output: '', errors: '' };
  running.stdout?.on('data', (chunk) => (said.output += String(chunk)));
  running.stderr?.on('data', (chunk) => (said.errors += String(chunk)));
  while (running.exitCode === null && !(await isTime(running.pid ?? 0)))
    await new Promise((resolve) => setTimeout(resolve, 5));
  running.kill(signal);
  return { end: await ended, ...said };
}
