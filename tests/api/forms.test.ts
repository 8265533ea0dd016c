import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, PASSWORD, refused, type Person, type TestServer } from './server.ts';
import { article } from './shapes.ts';

let server: TestServer;
let author: Person;
let reader: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  reader = await server.join('读者');
});
afterAll(() => server?.close());

const HEAD = 'title=%E9%A2%98&content=%E6%96%87&status=normal&secret=false&';
const saved = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const save = async (body: string) =>
  saved(done(await server.raw('/api/page/new', body, { token: author.token })).id);

describe('lists in forms', () => {
  test.each([
    ['indices', 'tags[0]=a&tags[1]=b', ['a', 'b']],
    ['escaped indices', 'tags%5B0%5D=a&tags%5B1%5D=b', ['a', 'b']],
    ['empty brackets', 'tags[]=a&tags[]=b', ['a', 'b']],
    ['repeated keys', 'tags=a&tags=b', ['a', 'b']],
    ['a lone value', 'tags=a', ['a']],
    ['a lone value in brackets', 'tags[]=a', ['a']],
    ['a lone value with a comma', 'tags=a,b', ['a,b']],
    ['the other name', 'tag[]=a&tag[]=b', ['a', 'b']],
    ['the other name with indices', 'tag[0]=a&tag[1]=b', ['a', 'b']],
    ['the other name, a lone value', 'tag=a', ['a']],
    ['both names', 'tags[]=a&tag[]=b', ['a']],
    ['both names, one empty', 'tags=&tag[]=b', ['b']],
    ['sparse indices', 'tags[3]=a&tags[700]=b&tags[1999]=c', ['a', 'b', 'c']],
    ['indices in another order', 'tags[1]=b&tags[0]=a', ['a', 'b']],
    ['empty items among others', 'tags[]=&tags[]=a&tags[]=', ['a']],
    ['Chinese, plus signs and escapes', 'tags[]=%E8%AF%97&tags[]=C%2B%2B&tags[]=a+b', ['诗', 'C++', 'a b']],
  ])('%s', async (_, tags, expected) => {
    expect((await save(HEAD + tags)).tags).toEqual(expected);
  });

  test.each(['', 'tags=', 'tags[]=', 'tags[0]=', 'tags=undefined', 'tag='])(
    'a draft may leave them out: %j',
    async (tags) => {
      expect((await save(`title=a&status=draft&${tags}`)).tags).toEqual([]);
    },
  );

  test.each([
    ['an object', 'tags[x]=a'],
    ['lists in a list', 'tags[0][0]=a'],
    ['objects in a list', 'tags[0][name]=a'],
  ])('%s is refused', async (_, tags) => {
    const answer = await server.raw('/api/page/new', HEAD + tags, { token: author.token });
    expect(outcome(answer)).toEqual(refused(expect.stringMatching(/^标签应为/) as unknown as string));
  });

  test('may have hundreds of ids, in any notation', async () => {
    const id = await server.write(author);
    const ids = Array.from({ length: 300 }, (_, index) => index.toString(16).padStart(24, '0'));
    const unread = async () => done(await server.get('/api/comment/getUnreadCommentNum', author.token));
    for (const key of ['ids[]', 'ids', 'ids%5B%5D', 'ids[7]']) {
      const { _id } = await server.comment(reader, id);
      expect(await unread()).toBe(1);
      const all = key === 'ids[7]' ? [] : ids;
      const body = [...all, _id].map((item) => `${key}=${item}`).join('&');
      done(await server.raw('/api/comment/updatecommentstatus', body, { token: author.token }));
      expect(await unread()).toBe(0);
    }
    const { _id } = await server.comment(reader, id);
    const indexed = [...ids, _id].map((item, index) => `ids[${index}]=${item}`).join('&');
    done(await server.raw('/api/comment/updatecommentstatus', indexed, { token: author.token }));
    expect(await unread()).toBe(0);
  });
});

describe('values as legacy clients send them', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['', false],
    ['undefined', false],
    ['null', false],
  ])('secret=%s', async (value, expected) => {
    expect((await save(`title=a&content=b&tags=c&secret=${value}`)).secret).toBe(expected);
  });

  test.each(['', 'undefined', 'null'])(
    'optional fields of an article that are %j are absent',
    async (nothing) => {
      const body = `title=山居&content=空山新雨后&tags[]=诗&status=${nothing}&secret=${nothing}&type=${nothing}&update_time=${nothing}`;
      const { _id } = await save(body);
      expect(await saved(_id)).toEqual(article({ _id, create_user: '王维' }));
      done(await server.raw('/api/page/edit', `${body}&id=${_id}`, { token: author.token }));
      expect(await saved(_id)).toEqual(article({ _id, create_user: '王维' }));
    },
  );

  test('line breaks, plus signs, ampersands and escapes in content are preserved', async () => {
    const content = 'a+b & c=d%20 100%\r\n＋ 🏔 "引" <b>\n\ttab';
    const body = new URLSearchParams({ title: 'a', content, tags: 'c' });
    expect((await save(body.toString())).content).toBe(content);
    expect((await save(`title=a&tags=c&content=a+b%2Bc%0D%0Ad`)).content).toBe('a b+c\r\nd');
  });

  test('unknown fields are ignored', async () => {
    const body = `${HEAD}tags=a&role=admin&is_public=1&author_id=1&page_num=9&_id=${'f'.repeat(24)}&a[b][c]=1&hasOwnProperty=1`;
    expect(await save(body)).toEqual(
      article({ title: '题', content: '文', tags: ['a'], create_user: '王维' }),
    );
  });

  test('keys such as __proto__ have no effect', async () => {
    for (const evil of [
      'a[__proto__][x]=1',
      '__proto__[secret]=true',
      'constructor[prototype][secret]=true',
      '__proto__=1',
    ]) {
      expect(await save(`${HEAD}tags=a&${evil}`)).toMatchObject({ secret: false, tags: ['a'] });
    }
    const json = `{"title":"题","content":"文","tags":["a"],"__proto__":{"secret":true,"status":"draft"}}`;
    const answer = await server.raw('/api/page/new', json, { type: 'application/json', token: author.token });
    expect(await saved(done(answer).id)).toMatchObject({ secret: false, status: 'normal' });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('JSON', () => {
  test('has the same fields with native types', async () => {
    const body = {
      title: '题',
      content: '文',
      tags: ['a', 'b'],
      status: 'normal',
      secret: true,
      type: null,
      update_time: null,
    };
    const { id } = done(await server.json('/api/page/new', body, author.token));
    expect(await saved(id)).toEqual(
      article({ title: '题', content: '文', tags: ['a', 'b'], secret: true, create_user: '王维' }),
    );
    const list = done(await server.json('/api/page/pagelist', { page: 1, pageSize: 1 }));
    expect(list.result).toHaveLength(1);
  });

  test('makes an account with optional fields that are null', async () => {
    const body = { username: 'json_user', password: PASSWORD, repassword: PASSWORD, gender: null, bio: null };
    done(await server.json('/api/signup', body));
    expect(done(await server.json('/api/user/detail', { username: 'json_user' }))).toMatchObject({
      gender: 'x',
      bio: '',
    });
  });

  test('may name its charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect(done(await server.raw('/api/page/pagelist', '{}', { type })).result).toHaveLength(10);
    }
  });

  test.each([
    ['a number for a text', { title: 5 }, '标题应为文本'],
    ['a list for a text', { title: ['题'] }, '标题应为文本'],
    ['an object for a text', { content: { a: 1 } }, '正文应为文本'],
    ['a number for a switch', { secret: 7 }, '开关的值应为 true 或 false'],
    ['a list for a switch', { secret: [true] }, '开关的值应为 true 或 false'],
    ['a number for a tag', { tags: [5] }, '标签应为文本'],
    ['half a character', { title: '\ud83d' }, '标题含有无法保存的字符'],
    ['half a character in content', { content: 'a\udc00b' }, '正文含有无法保存的字符'],
    ['NUL in content', { content: 'a\u0000b' }, '正文含有无法保存的字符'],
    ['half a character in a tag', { tags: ['\ud83d'] }, '标签含有无法保存的字符'],
    ['a list for a status', { status: ['draft'] }, '文章状态只能是 normal 或 draft'],
  ])('with %s is refused', async (_, fields, sentence) => {
    const body = { title: '题', content: '文', tags: ['a'], ...fields };
    expect(outcome(await server.json('/api/page/new', body, author.token))).toEqual(refused(sentence));
  });
});
