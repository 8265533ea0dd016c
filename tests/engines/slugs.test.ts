import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addReads } from '../../src/lib/server/reads/read-queries.ts';
import type { NewArticle } from '../../src/lib/contract/article-fields.ts';
import { outcomesOf } from '../race.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeAll(async () => {
  stage = await openImportStage();
});
afterAll(() => stage?.close());

const services = () => stage.app.services;
const fieldsOf = (title: string, more: Partial<NewArticle> = {}): NewArticle => ({
  title,
  content: '正文',
  tags: ['地址'],
  type: '',
  secret: false,
  status: 'normal',
  ...more,
});
const write = async (title: string, more: Partial<NewArticle> & { knownSlug?: string } = {}) =>
  (await services().articles.create(fieldsOf(title, more), stage.author)).id;
const edit = (id: string, title: string, more: Partial<NewArticle> = {}) =>
  services().articles.edit({ ...fieldsOf(title, more), id }, stage.author);
const slugOf = async (id: string): Promise<string> => {
  const [row] = (await stage.rows(`select address from articles where id = '${id}'`)) as [
    { address: string },
  ];
  return row.address;
};
const find = (slug: string, viewer: typeof stage.author | null = null) => services().slugs.find(slug, viewer);

describe('the slug of an article', () => {
  test('is made from its title when it becomes public, and stays when the title changes', async () => {
    const id = await write('用 Rust 重写搜索');
    expect(await slugOf(id)).toBe('yong-rust-zhong-xie-sou-suo');
    await edit(id, '别的标题');
    expect(await slugOf(id)).toBe('yong-rust-zhong-xie-sou-suo');
    expect(await find('YONG-Rust-zhong-xie-sou-suo')).toEqual({ id, slug: 'yong-rust-zhong-xie-sou-suo' });
  });

  test('is another one for each article of the same title, however many there are', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 25; count++) ids.push(await write('周报'));
    const slugs = await Promise.all(ids.map(slugOf));
    expect(slugs.slice(0, 3)).toEqual(['zhou-bao', 'zhou-bao-2', 'zhou-bao-3']);
    expect(new Set(slugs).size).toBe(25);
    expect(slugs.at(-1)).toBe(`zhou-bao-${ids.at(-1)}`);
  });

  test('is not given to drafts and secret articles, until they become public', async () => {
    const draft = await write('还是草稿', { status: 'draft' });
    const secret = await write('自己看的', { secret: true });
    expect([await slugOf(draft), await slugOf(secret)]).toEqual(['', '']);
    await edit(draft, '写完的草稿');
    await services().settings.change(
      { ids: [secret], secret: false, tags_add: [], tags_remove: [] },
      stage.author,
      '',
    );
    expect([await slugOf(draft), await slugOf(secret)]).toEqual(['xie-wan-de-cao-gao', 'zi-ji-kan-de']);
  });

  test('is missing if the title has neither letters nor digits', async () => {
    expect(await slugOf(await write('🎉🎉——！'))).toBe('');
  });

  test('is the one that its author chose; saving without it keeps it', async () => {
    const id = await write('选了地址', { slug: 'wo-de' });
    expect(await slugOf(id)).toBe('wo-de');
    await edit(id, '选了地址，又改');
    expect((await services().articles.readSource(id, stage.author)).slug).toBe('wo-de');
  });

  test('is not among the fields of its author, so that saving does not find it changed', async () => {
    const id = await write('没有选地址');
    expect((await services().articles.readSource(id, stage.author)).slug).toBe('');
  });
});

describe('a former slug', () => {
  test('stays with its article, which may take it back', async () => {
    const id = await write('改名', { slug: 'first' });
    await edit(id, '改名', { slug: 'second' });
    expect(await find('first')).toEqual({ id, slug: 'second' });
    await expect(write('抢名', { slug: 'first' })).rejects.toMatchObject({
      code: 'SLUG_TAKEN',
      field: 'slug',
    });
    await edit(id, '改名', { slug: 'first' });
    expect(await find('second')).toEqual({ id, slug: 'first' });
  });

  test('of an article that was never public is free again', async () => {
    const id = await write('草稿', { status: 'draft', slug: 'never-seen' });
    await edit(id, '草稿', { status: 'draft', slug: 'seen' });
    expect(await slugOf(await write('另一篇', { slug: 'never-seen' }))).toBe('never-seen');
    await edit(id, '草稿', { status: 'draft', slug: '' });
    expect([await slugOf(id), await find('seen', stage.author)]).toEqual(['', null]);
  });

  test('of an article in the trash is taken until the article is purged', async () => {
    const id = await write('进回收站', { slug: 'thrown-away' });
    await services().articles.remove(id, stage.author);
    expect(await find('thrown-away', stage.author)).toBeNull();
    await expect(write('想要它', { slug: 'thrown-away' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    await services().trash.restore(id, stage.author);
    expect(await find('thrown-away')).toEqual({ id, slug: 'thrown-away' });
    await services().articles.remove(id, stage.author);
    await services().trash.purge(id, stage.author);
    expect(await slugOf(await write('想要它', { slug: 'thrown-away' }))).toBe('thrown-away');
  });
});

test('of two articles that take one slug at the same time, one is refused', async () => {
  const [one, other] = [await write('同时之一'), await write('同时之二')];
  const both = [edit(one, '同时之一', { slug: 'same' }), edit(other, '同时之二', { slug: 'same' })];
  expect((await outcomesOf(both)).toSorted()).toEqual(['OK', 'SLUG_TAKEN']);
});

test('articles of one title that are published at the same time get different slugs', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => write('一起发布')));
  expect(new Set(await Promise.all(ids.map(slugOf))).size).toBe(8);
});

test('the slug of a draft or secret article leads only its author to it', async () => {
  const id = await write('藏着的', { secret: true, slug: 'hidden-one' });
  expect(await find('hidden-one')).toBeNull();
  expect(await find('hidden-one', stage.author)).toEqual({ id, slug: 'hidden-one' });
});

test('an imported article gets the slug it had, or one like it', async () => {
  await write('占着', { slug: 'old-name' });
  expect(await slugOf(await write('导入', { knownSlug: 'old-name' }))).toBe('old-name-2');
  expect(await slugOf(await write('导入草稿', { status: 'draft', knownSlug: 'old-draft' }))).toBe(
    'old-draft',
  );
});

describe('a suggestion', () => {
  const ask = (asked: { title?: string; slug?: string; id?: string }) =>
    services().slugs.suggest({ title: '', slug: '', id: '', ...asked }, stage.author);

  test('is free, and tells whether a wanted slug is', async () => {
    const id = await write('建议地址', { slug: 'jian-yi' });
    expect(await ask({ title: '占用', slug: 'jian-yi' })).toEqual({ slug: 'zhan-yong', is_taken: true });
    expect(await ask({ title: '占用', slug: 'jian-yi', id })).toMatchObject({ is_taken: false });
  });

  test('for a published article is the slug that it has', async () => {
    const id = await write('已经发布');
    expect((await ask({ title: '新的标题', id })).slug).toBe('yi-jing-fa-bu');
  });
});

test('reads of an article count, whether its id or its slug was read', async () => {
  const id = await write('被读的', { slug: 'read-me' });
  const { authorsOf } = await import('../../src/lib/server/reads/read-queries.ts');
  const found = await authorsOf(stage.app.db.read, [id, 'read-me', 'nobody']);
  expect([...found.keys()].toSorted()).toEqual([id, 'read-me'].toSorted());
  expect(new Set([...found.values()].map((article) => article.id))).toEqual(new Set([id]));
  await stage.app.db.write((trx) => addReads(trx, [{ article_id: id, day: 0, month: 0, reads: 1 }]));
});

describe('links of the site', () => {
  const choose = (articleAddress: 'id' | 'slug') => services().options.change({ articleAddress }, null);
  beforeEach(() => choose('id'));

  test('use ids, until the operator chooses slugs', async () => {
    const id = await write('链接的样子', { slug: 'link-form' });
    const addressOf = async () => (await services().articles.listPublic([id]))[0]?.item.address;
    expect(await addressOf()).toBeUndefined();
    await choose('slug');
    expect(await addressOf()).toBe('link-form');
  });

  test('use slugs that public articles of an earlier version get in the background', async () => {
    const id = await write('从前的文章');
    const secret = await write('从前的私密', { secret: true });
    await stage.app.db.write(async (trx) => {
      await trx.deleteFrom('article_slugs').where('article_id', '=', id).execute();
      await trx.updateTable('articles').set({ address: '' }).where('id', '=', id).execute();
    });
    await services().slugs.fill();
    expect(await slugOf(id)).toBe('');
    const changed: string[] = [];
    const stop = stage.app.events.listen(
      (event) => event.type === 'article-changed' && changed.push(event.articleId),
    );
    await choose('slug');
    await services().slugs.fill();
    stop();
    expect([await slugOf(id), await slugOf(secret)]).toEqual(['cong-qian-de-wen-zhang', '']);
    expect(changed).toContain(id);
  });
});
