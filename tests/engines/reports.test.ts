import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const REASON = '含有广告';

let stage: StaffStage;
let wei: Person;
let di: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  [wei, di] = [await stage.signUp('王维'), await stage.signUp('裴迪')];
});
afterEach(() => stage?.close());

const page = { page: 1, pageSize: 10 };

describe('the lists of the console', () => {
  test('have public content and content hidden by staff, by state, and never private content', async () => {
    const shown = await stage.write(wei, '鹿柴');
    const hidden = await stage.write(wei, '竹里馆');
    const deleted = await stage.write(wei, '辛夷坞');
    await stage.write(wei, '私事', true);
    const remark = await stage.comment(di, shown, '好诗');
    const bad = await stage.comment(di, shown, '买药');
    const { takedowns, staffLists } = stage.app.services;
    await takedowns.decide('article', { ids: [hidden], action: 'hide', note: REASON }, null);
    await takedowns.decide('article', { ids: [deleted], action: 'delete', note: REASON }, null);
    await takedowns.decide('comment', { ids: [bad], action: 'hide', note: REASON }, null);
    const articles = async (state: 'shown' | 'hidden' | 'deleted', keywords = '') =>
      (await staffLists.articles({ keywords, state, ...page })).result.map(({ _id, reason }) => [
        _id,
        reason,
      ]);
    expect(await articles('shown')).toEqual([[shown, '']]);
    expect(await articles('hidden')).toEqual([[hidden, REASON]]);
    expect(await articles('deleted')).toEqual([[deleted, REASON]]);
    expect(await articles('shown', '鹿')).toHaveLength(1);
    expect(await articles('shown', '100%_')).toEqual([]);
    const comments = async (state: 'shown' | 'hidden') =>
      (await staffLists.comments({ keywords: '', state, ...page })).result.map(({ _id, reason }) => [
        _id,
        reason,
      ]);
    expect(await comments('shown')).toEqual([[remark, '']]);
    expect(await comments('hidden')).toEqual([[bad, REASON]]);
  });

  test('find and show accounts by the display name that readers see', async () => {
    const named = { display_name: '摩诘居士', website: '', profile_links: [] };
    await stage.app.services.ownProfile.change(wei.viewer, named);
    const id = await stage.write(wei, '鹿柴');
    const remark = await stage.comment(wei, id, '好诗');
    const { staffLists, reports } = stage.app.services;
    const keywords = '诘居';
    expect((await staffLists.users({ keywords, ...page })).result).toMatchObject([
      { username: '王维', display_name: '摩诘居士' },
    ]);
    const both = { create_user: '王维', author_name: '摩诘居士' };
    expect((await staffLists.articles({ keywords, ...page })).result).toMatchObject([{ _id: id, ...both }]);
    expect((await staffLists.comments({ keywords, ...page })).result).toMatchObject([
      { _id: remark, ...both },
    ]);
    await reports.create({ kind: 'article', id, reason: 'spam', note: '' }, di.viewer);
    const [thing] = (await reports.list(page)).result;
    expect(thing).toMatchObject({ author: '王维', author_name: '摩诘居士', reports: [{ reporter: '裴迪' }] });
    expect(thing?.reports[0]).not.toHaveProperty('reporter_name');
    const { takedowns } = stage.app.services;
    await takedowns.decide('article', { ids: [id], action: 'hold', note: '' }, null);
    await takedowns.decide('comment', { ids: [remark], action: 'hold', note: '' }, null);
    expect((await takedowns.listHeld({ kind: '', ...page })).result).toMatchObject([
      { _id: id, author: '王维', author_name: '摩诘居士' },
      { _id: remark, author: '王维', author_name: '摩诘居士' },
    ]);
  });

  test('the audit log is shown newest first, searched, and exported as CSV', async () => {
    const id = await stage.write(wei);
    const { takedowns, roles, auditLists } = stage.app.services;
    await roles.set('裴迪', 'editor', null);
    await takedowns.decide('article', { ids: [id], action: 'hide', note: '=1+1,"x"' }, di.viewer.id);
    const list = (keywords: string) => auditLists.list({ keywords, ...page });
    expect((await list('')).result.map(({ action }) => action)).toEqual(['article.hide', 'user.role']);
    expect((await list('裴迪')).total).toBe(2);
    expect((await list('article.hide')).total).toBe(1);
    const csv = await auditLists.csv('article.hide');
    expect(csv.startsWith('\ufefftime,actor,action,kind,id,before,after\r\n')).toBe(true);
    expect(csv).toContain(`,裴迪,article.hide,article,${id},"{""state"":""shown""`);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(2);
  });

  test('the audit log is searched by the labels that staff reads, and names accounts', async () => {
    const { takedowns, roles, auditLists, users } = stage.app.services;
    const remark = await stage.comment(di, await stage.write(wei), '买药');
    await roles.set('裴迪', 'editor', null);
    await takedowns.decide('comment', { ids: [remark], action: 'hide', note: REASON }, null);
    const list = async (keywords: string) =>
      (await auditLists.list({ keywords, ...page })).result.map(({ action, subject_name }) => [
        action,
        subject_name,
      ]);
    expect(await list('隐藏评论')).toEqual([['comment.hide', undefined]]);
    expect(await list('改身份')).toEqual([['user.role', '裴迪']]);
    expect(await list('改标签')).toEqual([]);
    expect((await auditLists.csv('改身份')).trimEnd().split('\r\n')).toHaveLength(2);
    await stage.app.db.write(async (trx) => users.replaceName(trx, { id: di.viewer.id, username: '裴迪' }));
    expect((await list('改身份'))[0]?.[1]).not.toBe('裴迪');
  });
});

describe('reports', () => {
  const report = (kind: 'article' | 'comment' | 'user', id: string, who: Person) =>
    stage.app.services.reports.create({ kind, id, reason: 'spam', note: '看看' }, who.viewer);

  test('each reader reports an item once; one decision settles all reports', async () => {
    const id = await stage.write(wei);
    const ran = await stage.signUp('孟浩然');
    await report('article', id, di);
    await report('article', id, ran);
    await expect(report('article', id, di)).rejects.toMatchObject({ code: 'REPORTED_ALREADY' });
    await report('user', '王维', di);
    const { reports, articles } = stage.app.services;
    const { result, total } = await reports.list(page);
    expect(total).toBe(2);
    expect(result[0]).toMatchObject({ kind: 'article', text: '山居秋暝', author: '王维', page_id: id });
    expect(result[0]?.reports.map(({ reporter }) => reporter).toSorted()).toEqual(['孟浩然', '裴迪']);
    const versions = result.map(({ version, report_num }) => ({ version, report_num }));
    const [ofArticle, ofUser] = versions;
    if (!ofArticle || !ofUser) throw new Error('two items are reported');
    const decision = { kind: 'article', id, action: 'hide', reason: REASON, ...ofArticle } as const;
    expect(await reports.decide(decision, ran.viewer)).toBe(2);
    expect(await articles.find(id, null)).toBeNull();
    const user = { kind: 'user', id: wei.viewer.id, action: undefined, reason: '', ...ofUser } as const;
    expect(await reports.decide(user, ran.viewer)).toBe(1);
    expect(await reports.countOpen()).toBe(0);
    const decisions = await stage.rows(
      "select before from audit_log where action like 'report.%' order by id",
    );
    expect(decisions.map(({ before }) => JSON.parse(String(before)) as object)).toEqual([
      { reports: 2, author: '王维', text: '山居秋暝' },
      { reports: 1, author: '王维' },
    ]);
  });

  test('are refused for one’s own article, comment and account', async () => {
    const id = await stage.write(wei);
    const own = await stage.comment(di, id, '好诗');
    for (const [kind, subject, who] of [
      ['article', id, wei],
      ['article', id.toUpperCase(), wei],
      ['comment', own, di],
      ['user', '王维', wei],
    ] as const)
      await expect(report(kind, subject, who)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    expect(await stage.app.services.reports.countOpen()).toBe(0);
    // Below one's own article, comments of others may be reported.
    await report('comment', own, wei);
    expect(await stage.app.services.reports.countOpen()).toBe(1);
  });

  test('are accepted only for content the reader sees, and not while disabled', async () => {
    const secret = await stage.write(wei, '私事', true);
    await expect(report('article', secret, di)).rejects.toMatchObject({ code: 'ARTICLE_NOT_FOUND' });
    await expect(report('comment', secret, di)).rejects.toMatchObject({ code: 'COMMENT_NOT_FOUND' });
    await expect(report('user', '无此人', di)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await stage.app.services.options.change({ reports: false }, null);
    await expect(report('user', '王维', di)).rejects.toMatchObject({ code: 'REPORTS_CLOSED' });
  });
});
