import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config.ts';
import { runMoye, startMoye } from './import-command.ts';
import { countRows, siteOf, writeFiles } from './import-stage.ts';

const FILES = 150;
let place: string;
let dataDir: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'moye-killed-'));
  dataDir = join(place, 'data');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** A folder of articles in which each links to the next, the last to the first. */
function makeFolder(): string {
  const folder = join(place, 'blog');
  const files = Array.from({ length: FILES }, (_, index) => {
    const words = `独特词${index}。`.repeat(20);
    const text = `${words}\n\n[下一篇](${(index + 1) % FILES}.md)`;
    return [`${index}.md`, `---\ntitle: 第 ${index} 篇\ntags: [甲, 组${index % 7}]\n---\n${text}`];
  });
  writeFiles(folder, Object.fromEntries(files));
  return folder;
}

const articleCount = () => countRows(dataDir, 'select count(*) from articles');

/** Every number that is kept beside its subject equals what it counts. */
function expectConsistent(): void {
  const db = new DatabaseSync(join(dataDir, 'moye.sqlite'), { readOnly: true });
  const one = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  try {
    expect(one('pragma integrity_check')).toBe('ok');
    expect(one('pragma foreign_key_check')).toBeUndefined();
    const count = one('select count(*) from articles where is_public = 1');
    expect(one('select page_num from users')).toBe(count);
    expect(one("select value from counters where name = 'public_articles'")).toBe(count);
    expect(one('select count(*) from article_bodies')).toBe(count);
    const wrongTags = `select count(*) from tags where page_num !=
      (select count(*) from article_tags where tag_id = tags.id and is_public = 1)`;
    expect(one(wrongTags)).toBe(0);
    expect(one('select count(*) from search_documents')).toBe(count);
    expect(one("select count(*) from imports where digest != ''")).toBe(count);
  } finally {
    db.close();
  }
}

async function findTotals(keywords: string[]): Promise<number[]> {
  const app = await createApp(readConfig(siteOf(dataDir)));
  try {
    const find = (words: string) => app.services.articles.search(words, { page: 1, pageSize: 10 });
    return (await Promise.all(keywords.map(find))).map(({ total }) => total);
  } finally {
    await app.close();
  }
}

test('an import that is killed leaves a sound site, and the next run completes it', async () => {
  const folder = makeFolder();
  const command = ['import', 'markdown', folder, '--author', '作者'];
  expect((await runMoye(dataDir, ['user', 'add', '作者', '--generate'])).code).toBe(0);
  const running = startMoye(dataDir, command);
  const ended = once(running, 'exit');
  while (articleCount() < FILES / 3) await new Promise((resolve) => setTimeout(resolve, 5));
  running.kill('SIGKILL');
  await ended;
  const written = articleCount();
  expect(written).toBeLessThan(FILES);
  expectConsistent();

  const second = await runMoye(dataDir, command);
  expect(second.output).toContain(`新增 ${FILES - written}，更新 0，未变 ${written}，失败 0，警告 0`);
  expect(articleCount()).toBe(FILES);
  expect(countRows(dataDir, 'select count(distinct title) from articles')).toBe(FILES);
  expectConsistent();
  const strayLinks = `select count(*) from article_bodies where substr(content, instr(content, '/detail/') + 8, 24)
    not in (select id from articles)`;
  expect(countRows(dataDir, strayLinks)).toBe(0);
  expect(await findTotals(['独特词101。', '独特词74。', `独特词${FILES - 1}。`])).toEqual([1, 1, 1]);
});
