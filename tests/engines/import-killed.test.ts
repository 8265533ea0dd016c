import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { amount, tally } from '../trial.ts';
import { runMoye } from './import-command.ts';
import { siteOf, writeFiles } from './import-stage.ts';
import { articleCount, expectConsistent, signalWhen } from './killed-stage.ts';

const FILES = 150;
/** Number of times the import is killed before it may finish, the last time near its end. */
const KILLS = amount('TRUST_KILLS', 1, 6);
const SHARE = 0.9;
let place: string;
let storage: TestStorage;
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-killed-'));
  storage = await createStorage(join(place, 'data'));
});
afterEach(async () => {
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

/** Creates a folder of articles where each links to the next, and the last to the first. */
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

async function expectSound(): Promise<void> {
  await expectConsistent(storage);
  expect(await storage.count("select count(*) from imports where digest != ''")).toBe(
    await articleCount(storage),
  );
}

async function findTotals(keywords: string[]): Promise<number[]> {
  const app = await createApp(readConfig(siteOf(storage)));
  try {
    const find = (words: string) => app.services.articles.search(words, { page: 1, pageSize: 10 });
    return (await Promise.all(keywords.map(find))).map(({ total }) => total);
  } finally {
    await app.close();
  }
}

/** Three commands run one after another, possibly on a busy machine. */
const PATIENT = { timeout: TEST_MS + 10_000 * KILLS };

test('a killed import leaves a consistent site, and the next run completes it', PATIENT, async () => {
  const folder = makeFolder();
  const command = ['import', 'markdown', folder, '--author', '作者'];
  expect((await runMoye(storage, ['user', 'add', '作者', '--generate'])).code).toBe(0);
  for (let kill = 1; kill <= KILLS; kill++) {
    const isTime = async () => (await articleCount(storage)) >= FILES * SHARE * (kill / KILLS);
    const { end } = await signalWhen(storage, command, 'SIGKILL', isTime);
    expect(end).toEqual([null, 'SIGKILL']);
    tally('imports killed');
    await expectSound();
  }
  const written = await articleCount(storage);
  expect(written).toBeLessThan(FILES);

  const second = await runMoye(storage, command);
  expect(second.output).toContain(`新增 ${FILES - written}，更新 0，未变 ${written}，失败 0，警告 0`);
  expect(await articleCount(storage)).toBe(FILES);
  expect(await storage.count('select count(distinct title) from articles')).toBe(FILES);
  await expectSound();
  const known = new Set((await storage.rows('select id from articles')).map(({ id }) => id));
  const contents = (await storage.rows('select content from article_bodies')).map(({ content }) =>
    String(content),
  );
  expect(contents.filter((text) => !known.has(/\/detail\/(.{24})/.exec(text)?.[1]))).toEqual([]);
  expect(await findTotals(['独特词101。', '独特词74。', `独特词${FILES - 1}。`])).toEqual([1, 1, 1]);
});
