import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPickService } from '../../src/lib/server/articles/discovery/pick-service.ts';
import { createAudit } from '../../src/lib/server/staff/audit.ts';
import { addReads } from '../../src/lib/server/reads/read-queries.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

const timeZone = 'Asia/Shanghai';
/** 24 November; in the site's time zone the month began at 16:00 UTC on 31 October. */
const NOW = Date.UTC(2026, 10, 24, 4);
const NOVEMBER = Date.UTC(2026, 9, 31, 16);
const OCTOBER = Date.UTC(2026, 8, 30, 16);
const MONTH = '2026-10-31T16:00:00.000Z';

let stage: ImportStage;
let told: string[];
beforeEach(async () => {
  stage = await openImportStage();
  told = [];
  stage.app.events.listen((event) => void told.push(event.type));
});
afterEach(() => stage.close());

const open = (now = NOW) =>
  createPickService({
    db: stage.app.db,
    audit: createAudit({ now: () => now }),
    events: stage.app.events,
    timeZone,
    now: () => now,
  });
const write = async (title: string): Promise<string> => {
  const fields = { title, content: '正文', tags: [], type: '', secret: false, status: 'normal' as const };
  return (await stage.app.services.articles.create(fields, stage.author)).id;
};
const writeAll = (...titles: string[]) => Promise.all(titles.map(write));
const read = (article_id: string, reads: number, month = NOVEMBER) =>
  stage.app.db.write((trx) => addReads(trx, [{ article_id, day: month, month, reads }]));
const titlesOf = (list: readonly { item: { title: string } }[]) => list.map(({ item }) => item.title);

describe('read most this month', () => {
  test('are the five most read, and pages are invalidated only when the list changes', async () => {
    const ids = await writeAll('一', '二', '三', '四', '五', '六');
    for (const [index, id] of ids.entries()) await read(id, 10 + index);
    const picks = open();
    await picks.refresh();
    const { read: most, month } = await picks.list();
    expect(titlesOf(most)).toEqual(['六', '五', '四', '三', '二']);
    expect(month).toBe(MONTH);
    expect(told.filter((type) => type === 'picks-changed')).toHaveLength(1);
    await read(ids[5] as string, 100);
    await picks.refresh();
    expect(told.filter((type) => type === 'picks-changed')).toHaveLength(1);
    await read(ids[0] as string, 1000);
    await picks.refresh();
    expect(titlesOf((await picks.list()).read)).toEqual(['一', '六', '五', '四', '三']);
  });

  test('are those of last month until enough were read in this one', async () => {
    const [one = '', two = ''] = await writeAll('一', '二');
    await read(one, 5, OCTOBER);
    await read(two, 3, OCTOBER);
    await read(two, 9);
    const picks = open();
    await picks.refresh();
    expect(await picks.list()).toMatchObject({ month: '2026-09-30T16:00:00.000Z' });
    expect(titlesOf((await picks.list()).read)).toEqual(['一', '二']);
    await read(one, 1);
    await picks.refresh();
    expect(titlesOf((await picks.list()).read)).toEqual(['二', '一']);
    expect(await picks.list()).toMatchObject({ month: MONTH });
  });

  test('are summed up from the daily counts of a former release', async () => {
    const [one = ''] = await writeAll('一', '二');
    await read(one, 4);
    await stage.app.db.write((trx) => trx.deleteFrom('month_reads').execute());
    const picks = open();
    await picks.refresh();
    expect(titlesOf((await picks.list()).read)).toEqual(['一']);
  });

  test('drop a hidden article at once, and the next takes its place', async () => {
    const ids = await writeAll('一', '二', '三', '四', '五', '六');
    for (const [index, id] of ids.entries()) await read(id, 10 + index);
    const picks = open();
    await picks.refresh();
    await stage.app.services.articles.remove(ids[5] as string, stage.author);
    expect(titlesOf((await picks.list()).read)).toEqual(['五', '四', '三', '二', '一']);
  });
});

describe('pinned', () => {
  test('are at most five public articles, in pinning order', async () => {
    const ids = await writeAll('一', '二', '三', '四', '五', '六');
    const picks = open();
    for (const id of ids.slice(0, 5)) await picks.pin(id);
    await picks.pin(ids[0] as string);
    expect(titlesOf((await picks.list()).pinned)).toEqual(['二', '三', '四', '五', '一']);
    await expect(picks.pin(ids[5] as string)).rejects.toMatchObject({ code: 'PICKS_TOO_MANY' });
    await picks.unpin(ids[1] as string);
    await expect(picks.unpin(ids[1] as string)).rejects.toMatchObject({ code: 'PICK_NOT_FOUND' });
    await picks.pin(ids[5] as string);
    expect(titlesOf(await picks.listPins())).toEqual(['三', '四', '五', '一', '六']);
  });

  test('are named in the audit log, also once they are not public', async () => {
    const [one = ''] = await writeAll('山居秋暝');
    const picks = open();
    await picks.pin(one);
    await stage.app.services.articles.remove(one, stage.author);
    await picks.unpin(one);
    const { result } = await stage.app.services.auditLists.list({ keywords: '', page: 1, pageSize: 10 });
    const named = { author: stage.author.username, text: '山居秋暝' };
    expect(result.map(({ action, before }) => [action, JSON.parse(before) as object])).toEqual([
      ['article.unpin', named],
      ['article.pin', named],
    ]);
  });

  test('must be public, and are not shown once they are not', async () => {
    const [one = ''] = await writeAll('一');
    const picks = open();
    await expect(picks.pin('a'.repeat(24))).rejects.toMatchObject({ code: 'ARTICLE_NOT_FOUND' });
    await picks.pin(one);
    await stage.app.services.articles.remove(one, stage.author);
    expect((await picks.list()).pinned).toEqual([]);
    await expect(picks.pin(one)).rejects.toMatchObject({ code: 'ARTICLE_NOT_FOUND' });
  });
});
