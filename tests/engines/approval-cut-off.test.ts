import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decide } from './decide.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const TEXT = '空山新雨后，天气晚来秋。'.repeat(20);
const CHANGED = '本店新到一批明前好茶，欢迎各位新老朋友光临选购。'.repeat(5);
const fields = {
  title: '山居秋暝',
  content: TEXT,
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
};

let stage: StaffStage;
let author: Person;
let editor: Person;
beforeAll(async () => {
  stage = await openStaffStage();
  [author, editor] = [await stage.signUp('王维'), await stage.signUp('老李')];
  await stage.app.services.options.change({ holdArticles: 'all', holdChanges: 'always' }, null);
});
afterAll(() => stage?.close());

test.each([0, 1, 2])(
  'an approval that is cut off after %i transactions leaves a revision that its author can publish',
  async (allowed) => {
    const { articles, inspections, revisions, takedowns } = stage.app.services;
    const { id } = await articles.create(fields, author.viewer);
    await takedowns.decide('article', { ids: [id], action: 'restore', note: '' }, null);
    const { update_time, ...saved } = await articles.edit({ ...fields, id, content: CHANGED }, author.viewer);
    const times = { update_time, revision_time: 'revision_time' in saved ? saved.revision_time : '' };
    await revisions.save({ ...fields, id, content: `${CHANGED}还没写完`, ...times }, author.viewer);
    const { version } = await inspections.inspect('article', id, editor.viewer);
    const write = stage.app.db.write.bind(stage.app.db);
    let left = allowed;
    const cut = vi
      .spyOn(stage.app.db, 'write')
      .mockImplementation((work) => (left-- > 0 ? write(work) : Promise.reject(new Error('killed'))));
    const asked = { kind: 'article', ids: [id], action: 'approve', versions: [version] } as const;
    await decide(stage.app, editor.viewer.id, asked).catch(() => null);
    cut.mockRestore();
    const after = await articles.readSource(id, author.viewer);
    expect(after.content).toBe(allowed === 0 ? TEXT : CHANGED);
    expect(after.revision?.base_time).toBe(after.update_time);
  },
);
