import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertDecision } from '../../src/lib/server/moderation/review/decision-queries.ts';
import { decide } from './decide.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const TEXT = `${'空山新雨后，天气晚来秋。'.repeat(20)}\n\n见 [文档](https://docs.example.org/a)。`;

let stage: StaffStage;
let author: Person;
beforeAll(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
});
afterAll(() => stage?.close());
beforeEach(() => stage.pass(1_000));

const services = () => stage.app.services;
const fields = (content: string, more: object = {}) => ({
  title: '山居秋暝',
  content,
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
  ...more,
});
const holdChanges = (holds: 'none' | 'all') =>
  services().options.change({ holdArticles: holds, holdComments: holds, holdChanges: 'size' }, null);
const publish = async (content = TEXT) => {
  await holdChanges('none');
  const { id } = await services().articles.create(fields(content), author.viewer);
  await holdChanges('all');
  stage.pass(1_000);
  return id;
};
const edit = (id: string, content: string, more: object = {}) =>
  services().articles.edit({ id, ...fields(content, more) }, author.viewer);
/** Stores a text as the one that staff approved last. */
const approve = (id: string, content: string) =>
  stage.app.db.write((trx) =>
    insertDecision(trx, {
      id: id.replace(/^./, 'f'),
      kind: 'article',
      item_id: id,
      state: 'shown',
      reasons: '[]',
      note: '',
      actor_id: null,
      create_time: stage.now(),
      title: '山居秋暝',
      content,
      attributes: '',
    }),
  );

describe('a small change of a public article', () => {
  test.each([
    ['a link without a protocol', '[看](//evil.cn)'],
    ['an entity in HTML', '<a href="https&#x3a;//evil.cn">看</a>'],
    ['a reference', '[看][x]\n\n[x]: https://evil.cn'],
    ['a picture of another site', '![](https://evil.cn/a.png)'],
    ['another address of a known host', '[看](https://docs.example.org/b)'],
    ['circled digits', '①③⑧⓪⓪①③⑧⓪⓪⓪'],
    ['a Chinese dot', 'evil点com'],
    ['an account', '薇信 moye_88'],
    ['a drawing', '█▓'.repeat(40)],
  ])('waits with %s', async (_, piece) => {
    const id = await publish();
    expect(await edit(id, `${TEXT}${piece}`)).toMatchObject({ pending: true });
    expect((await services().articles.findPublic(id))?.content).toBe(TEXT);
  });

  test.each([
    ['summary', { description: '加V moye88' }],
    ['source', { source: 'https://evil.cn/a' }],
    ['tags', { tags: ['诗', 'evil点com'] }],
  ])('waits with a contact in the %s', async (_, more) => {
    expect(await edit(await publish(), TEXT, more)).toMatchObject({ pending: true });
  });

  test('is public at once without one', async () => {
    const id = await publish();
    for (const content of [
      TEXT.replace('晚来秋', '晚来凉'),
      `见 [文档](https://docs.example.org/a)。\n\n${'空山新雨后，天气晚来秋。'.repeat(20)}`,
      `${TEXT}3.1.5，2024-05-06，[归档](/archive)`,
    ]) {
      expect(await edit(id, content)).not.toHaveProperty('pending');
      expect((await services().articles.findPublic(id))?.content).toBe(content);
    }
  });

  test('is compared with the approved text, which is rendered again', async () => {
    const contact = `${TEXT}[看](//evil.cn)`;
    const removed = await publish();
    await approve(removed, contact);
    expect(await edit(removed, contact)).not.toHaveProperty('pending');
    const added = await publish(contact);
    await approve(added, TEXT);
    expect(await edit(added, `${contact}好`)).toMatchObject({ pending: true });
  });
});

test.each(['[看](//evil.cn)', 'https&#58;//evil.cn', '１３８００１３８０００', '加Q 654321'])(
  'a small change of a public comment waits with %s',
  async (piece) => {
    const place = await publish();
    await holdChanges('none');
    const said = `空山新雨后，天气晚来秋。明月松间照，清泉石上流，第 ${piece.length} 句。`;
    const id = await stage.comment(author, place, said);
    await holdChanges('all');
    const edited = await services().comments.edit({ id, content: `${said}${piece}` }, author.viewer);
    expect(edited).toMatchObject({ pending_content: `${said}${piece}` });
  },
);

test('links of a new author are counted as readers see them', async () => {
  await holdChanges('none');
  const writer = await stage.signUp('裴迪');
  const place = await publish();
  await holdChanges('none');
  const say = async (content: string) => {
    stage.pass(3_600_000);
    const fields = { page_id: place, content, reply_user: '', reply_content: '', request_id: '' };
    return services().comments.create(fields, writer.viewer);
  };
  expect(await say('[一](//a.cn) https&#58;//b.cn 例c点com')).toMatchObject({ state: 'held' });
  expect(await say('见 [一](//a.cn) 和 README.md、main.py、192.168.1.1')).not.toHaveProperty('state');
});

describe.each(['series', 'licence'] as const)('another %s of a public article', (name) => {
  const choose = async () => {
    const series = { title: '辋川集', description: '', cover: '' };
    const { _id } = await services().series.create(series, author.viewer);
    return { [name]: name === 'series' ? _id : 'cc-by-4.0' };
  };

  test('is public at once, however much of the text is not approved', async () => {
    const id = await publish();
    await approve(id, '别的文字'.repeat(50));
    const change = await choose();
    await edit(id, TEXT, change);
    expect(await services().articles.findPublic(id)).toMatchObject(change);
  });

  test('waits, if all changes do', async () => {
    const id = await publish();
    await services().options.change({ holdChanges: 'always' }, null);
    const change = await choose();
    expect(await edit(id, TEXT, change)).toMatchObject({ pending: true });
    expect((await services().articles.findPublic(id))?.[name]).toBe('');
    await decide(stage.app, author.viewer.id, { kind: 'article', ids: [id], action: 'approve' });
    expect(await services().articles.findPublic(id)).toMatchObject(change);
    // Settings without text do not wait.
    const settings = { ...change, comments_closed: true, pinned: true };
    expect(await edit(id, TEXT, settings)).not.toHaveProperty('pending');
  });
});
