import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/lib/contract/calls/call.ts';
import { calls, type CallName } from '../../src/lib/contract/calls/calls.ts';
import { PUBLIC_TEXTS, type PublicEntity } from '../../src/lib/contract/public-texts.ts';
import { done, openServer, PASSWORD, type Fields, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let editor: Person;
let series: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  editor = await server.join('裴迪');
  const { roles, words } = server.app.services;
  await roles.set('裴迪', 'editor', null);
  series = done(await server.post('/api/series/create', { title: '辋川集' }, author.token))._id;
  for (const [action, word] of Object.entries(WORDS))
    await words.add([word], { category: '', action: action as keyof typeof WORDS }, null);
});
afterAll(() => server?.close());

/** A listed word for each action; each is refused in a field that cannot be held for approval. */
const WORDS = { reject: '赌博', hold: '代开发票', mask: '博彩' } as const;
let made = 0;
/** Valid fields for each call; a test replaces one of them. */
const WORKING: Partial<Record<CallName, () => Fields>> = {
  signup: () => ({ username: `新人${++made}`, password: PASSWORD, repassword: PASSWORD, bio: '我' }),
  updateBio: () => ({ bio: '我' }),
  usernameChange: () => ({ username: `改名${++made}`, password: PASSWORD }),
  profileChange: () => ({
    display_name: '',
    website: 'https://a.example',
    profile_links: 'https://b.example',
  }),
  tagCreate: () => ({ name: `标签${++made}`, description: '说明' }),
  seriesCreate: () => ({ title: `专栏${++made}`, description: '说明' }),
  seriesEdit: () => ({ id: series, title: '辋川集', description: '说明' }),
};
/**
 * Calls that a test cannot complete, because it has no valid setup key or proof of work; a listed word is
 * refused before these are checked.
 */
const REFUSED_ONLY: Partial<Record<CallName, () => Fields>> = {
  friendApply: () => ({ name: '王维', url: 'https://wang.example/' }),
  operatorSetup: () => ({ key: 'k', username: `站主${++made}`, password: PASSWORD, repassword: PASSWORD }),
};

const aloneOf = (entity: PublicEntity) =>
  Object.entries(PUBLIC_TEXTS[entity]).flatMap(([name, judgement]) => (judgement === 'alone' ? [name] : []));
const alone = (Object.keys(PUBLIC_TEXTS) as PublicEntity[]).flatMap((entity) =>
  aloneOf(entity).map((field) => `${entity}.${field}`),
);
const judged = (Object.entries(calls) as [CallName, Call][]).flatMap(([name, { writes = [] }]) =>
  writes
    .filter((text) => alone.includes(text))
    .map((text) => [name, text.slice(text.indexOf('.') + 1), text] as const),
);
/** A valid value of a field, with `word` in it. */
const holding = (field: string, word: string) =>
  ['website', 'profile_links', 'url'].includes(field) ? `https://example.com/${word}` : `说${word}吧`;
const send = (name: CallName, fields: Fields, by: Person) =>
  server.post(calls[name].path, fields, calls[name].auth === 'required' ? by.token : undefined);

describe('a listed word in a text that cannot be pending', () => {
  test('is matched in every text that is judged by itself', () => {
    const seen = new Set(judged.map(([, , text]) => text));
    expect([...seen].sort()).toEqual(alone.toSorted());
  });

  test.each(judged)('is refused by %s in %s, whatever its action', async (name, field) => {
    const working = WORKING[name] ?? REFUSED_ONLY[name];
    for (const word of [...Object.values(WORDS), '赌\u200b博', '賭博']) {
      const {
        error,
        field: named,
        data,
      } = await send(name, { ...working?.(), [field]: holding(field, word) }, author);
      // A name is refused for invisible characters before its words are checked.
      const isHidden = word.includes('\u200b') && error === 'FIELD_INVALID';
      expect([word, isHidden ? 'WORD_REFUSED' : error, named]).toEqual([word, 'WORD_REFUSED', field]);
      if (!isHidden) expect(data).toContain('不能出现在这里');
    }
    if (WORKING[name]) done(await send(name, WORKING[name](), author));
  });

  test('is allowed to staff', async () => {
    const bio = '举报赌博请到这里';
    done(await server.post('/api/user/updatebio', { bio }, editor.token));
    expect(done(await server.post('/api/user/detail', { username: editor.username })).bio).toBe(bio);
  });
});

describe('the texts of an article', () => {
  const write = (fields: Fields) =>
    server.post('/api/page/new', { title: '题', content: '文', tags: ['诗'], ...fields }, author.token);

  test.each<[string, Fields]>([
    ['its title', { title: '说赌博' }],
    ['its description', { description: '说赌博' }],
    ['a tag that saving it would make', { tags: ['诗', '赌博'] }],
    ['its source', { source: 'https://example.com/%E8%B5%8C%E5%8D%9A' }],
    ['its type', { type: '赌博' }],
    ['the description of a picture', { content: '图：![赌博](https://example.com/1.png)' }],
    ['the title of a picture', { content: '图：![图](https://example.com/1.png "赌博")' }],
    ['the title of a link', { content: '见[这里](https://example.com "赌&#x535A;")' }],
    ['the address of a link', { content: '见[这里](https://example.com/赌博)' }],
    ['an encoded address of a link', { content: '见[这里](https://example.com/%E8%B5%8C%E5%8D%9A)' }],
  ])('are refused with a listed word in %s', async (_, fields) => {
    const { error } = await write(fields);
    expect(error).toBe('WORD_REFUSED');
    expect(await server.rows(`select name from tags where name like '%赌博%'`)).toEqual([]);
  });

  test('are pending with a listed word in a picture’s description', async () => {
    const { id } = done(await write({ content: '![代开发票](https://example.com/1.png)', tags: ['新标签'] }));
    const [row] = await server.rows(`select moderation from articles where id = '${id}'`);
    expect(row).toEqual({ moderation: 'held' });
    expect(done(await server.post('/api/tag/alltags'))).not.toContain('新标签');
  });
});

test('a comment is refused with a listed word in the address of a link', async () => {
  const id = await server.write(author);
  const content = '见[这里](https://example.com/%E8%B5%8C%E5%8D%9A)';
  const { error } = await server.post('/api/comment/create', { page_id: id, content }, author.token);
  expect(error).toBe('WORD_REFUSED');
});
