import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openImportStage, type ImportStage } from './import-stage.ts';

let stage: ImportStage;
let told: string[];
beforeEach(async () => {
  stage = await openImportStage();
  told = [];
  stage.app.events.listen((event) => void told.push(event.type));
});
afterEach(() => stage.close());

const paths = () => stage.app.services.formerPaths;
const articleAt = async (address: string) => (await paths().find(address))?.id ?? null;
const fieldsOf = (change: object = {}) => ({
  title: '标题',
  content: '正文',
  tags: [],
  type: '',
  secret: false,
  status: 'normal' as const,
  ...change,
});
const write = async (change: object = {}): Promise<string> =>
  (await stage.app.services.articles.create(fieldsOf(change), stage.author)).id;
const add = async (articleId: string, ...addresses: string[]) =>
  paths().addAll(addresses.map((address) => ({ address, articleId })));
const listAll = async () => (await Array.fromAsync(paths().list())).flat();

describe('a former address', () => {
  test('redirects to its article in every spelling, and is added only once', async () => {
    const id = await write();
    expect(await add(id, '/2020/01/02/a/', '/2020/01/02/a.html', '/?p=7', '/%E4%BD%A0/')).toEqual([
      'added',
      'same',
      'added',
      'added',
    ]);
    expect(await add(id, '/2020/01/02/a')).toEqual(['same']);
    for (const asked of ['/2020/01/02/a', '/2020/01/02/a/index.html', '/?p=7', 'http://x.invalid/你'])
      expect(await articleAt(asked)).toBe(id);
    for (const asked of ['/2020/01/02/A', '/?p=8', '/', '/%', '/2020'])
      expect(await articleAt(asked)).toBeNull();
    expect(await paths().listOf(id)).toEqual(['/2020/01/02/a', '/?p=7', '/你']);
  });

  test('belongs to one article; invalid ones are reported individually', async () => {
    const [one, two] = [await write(), await write()];
    expect(await add(one, '/a')).toEqual(['added']);
    expect(await add(two, '/a/', '/home', 'x', '/x?id=1', '/b')).toEqual([
      'taken',
      'own',
      'malformed',
      'query',
      'added',
    ]);
    expect(await add('f'.repeat(24), '/c')).toEqual(['nowhere']);
    expect(await articleAt('/a')).toBe(one);
    expect(await listAll()).toEqual([
      { address: '/a', articleId: one },
      { address: '/b', articleId: two },
    ]);
  });

  test('of a non-public article is not found', async () => {
    const { articles } = stage.app.services;
    const [draft, secret, gone] = [
      await write({ status: 'draft' }),
      await write({ secret: true }),
      await write(),
    ];
    await add(draft, '/draft');
    await add(secret, '/secret');
    await add(gone, '/gone');
    expect(await articleAt('/gone')).toBe(gone);
    await articles.remove(gone, stage.author);
    for (const asked of ['/draft', '/secret', '/gone']) expect(await articleAt(asked)).toBeNull();
    expect(await listAll()).toHaveLength(3);
  });

  test('moves from a deleted article to the one imported in its place', async () => {
    const [gone, renewed] = [await write(), await write()];
    await add(gone, '/a');
    await stage.app.services.articles.remove(gone, stage.author);
    expect(await add(renewed, '/a')).toEqual(['added']);
    expect(await articleAt('/a')).toBe(renewed);
  });

  test('is removed, which invalidates pages', async () => {
    const id = await write();
    await add(id, '/a');
    told = [];
    expect(await paths().remove('/a/index.html')).toBe(true);
    expect(told).toEqual(['former-paths-changed']);
    expect(await paths().remove('/a')).toBe(false);
    expect(await articleAt('/a')).toBeNull();
  });

  test('is removed when its article is purged', async () => {
    const id = await write();
    await add(id, '/a');
    const { articles, trash } = stage.app.services;
    await articles.remove(id, stage.author);
    await trash.purge(id, stage.author);
    expect(await listAll()).toEqual([]);
  });

  test('is written in the transaction that imports its article, or not at all', async () => {
    const { imports } = stage.app.services;
    const source = '/blog/a.md';
    const record = (await imports.reserve(stage.author.id, [source])).get(source);
    if (!record) throw new Error('no record');
    const entry = { record, fileHash: 'a'.repeat(64), fields: fieldsOf() };
    const first = await imports.save(
      stage.author,
      { ...entry, formerAddresses: ['/2020/a/', '/home'] },
      { force: false },
    );
    expect(first).toMatchObject({ saved: 'created', addresses: ['added', 'own'] });
    expect(await articleAt('/2020/a')).toBe(first.record.articleId);
    // The record has changed in the meantime, so nothing of this run is written.
    const late = await imports.save(stage.author, { ...entry, formerAddresses: ['/late'] }, { force: false });
    expect(late.saved).toBe('changed-meanwhile');
    expect(await articleAt('/late')).toBeNull();
    const again = await imports.save(
      stage.author,
      {
        ...entry,
        record: first.record,
        fields: fieldsOf({ title: '又' }),
        formerAddresses: ['/2020/a', '/new'],
      },
      { force: false },
    );
    expect(again).toMatchObject({ saved: 'updated', addresses: ['same', 'added'] });
    expect(await articleAt('/new')).toBe(first.record.articleId);
  });

  test('thousands are listed in their order', async () => {
    const id = await write();
    const numbers = Array.from({ length: 2_500 }, (_, index) => `/n/${String(index).padStart(5, '0')}`);
    for (let from = 0; from < numbers.length; from += 500) await add(id, ...numbers.slice(from, from + 500));
    expect((await listAll()).map(({ address }) => address)).toEqual(numbers);
  });
});
