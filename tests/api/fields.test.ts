import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  done,
  openServer,
  outcome,
  PASSWORD,
  refused,
  type Answer,
  type Fields,
  type Person,
  type TestServer,
} from './server.ts';

let server: TestServer;
let author: Person;
let page_id: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  page_id = await server.write(author);
});
afterAll(() => server?.close());

const signup = (fields: Fields) =>
  server.post('/api/signup', { password: PASSWORD, repassword: PASSWORD, ...fields });
const save = (fields: Fields) =>
  server.post('/api/page/new', { title: '题', content: '文', tags: ['诗'], ...fields }, author.token);
const comment = (content: string) => server.post('/api/comment/create', { content, page_id }, author.token);
const createTag = (fields: Fields) => server.post('/api/tag/create', fields, author.token);

/** Returns `OK` or the text of a refusal. */
const verdict = ({ status, code, text }: Answer) => (status === 200 && code === 'OK' ? 'OK' : text);

test('a refused field is named', async () => {
  const refusals = [
    [await signup({ username: '山' }), 'username'],
    [await signup({ username: '山水', repassword: '不一样的密码' }), 'repassword'],
    [await save({ tags: ['x'.repeat(31)] }), 'tags'],
    [await comment(''), 'content'],
  ] as const;
  for (const [{ code, error, field }, name] of refusals)
    expect([code, error, field]).toEqual(['ERROR', 'FIELD_INVALID', name]);
  const { error, field } = await server.post('/api/signin', { username: '山水', password: PASSWORD });
  expect([error, field]).toEqual(['SIGNIN_FAILED', undefined]);
});

describe('username', () => {
  test.each([
    ['two characters', '山水'],
    ['twenty characters', '山'.repeat(20)],
    ['twenty characters outside the basic plane', '𠮷'.repeat(20)],
    ['letters of any script, digits, _ and -', 'Ünïçode_名-Ж9'],
    ['marks on letters', 'नमस्ते'],
    ['surrounding white space, which is trimmed', '  trimmed　'],
  ])('takes %s', async (_, username) => expect(verdict(await signup({ username }))).toBe('OK'));

  test.each([
    ['one character', '山', '用户名应为 2–20 个字符'],
    ['one character and blanks', ' 山 ', '用户名应为 2–20 个字符'],
    ['twenty-one characters', '山'.repeat(21), '用户名应为 2–20 个字符'],
    ['nothing', '', '请填写用户名'],
    ['blanks', '   ', '请填写用户名'],
    ['a blank inside', 'a b', '用户名只能包含文字、数字、下划线和连字符'],
    ['an emoji', '山🙂水', '用户名只能包含文字、数字、下划线和连字符'],
    ['markup', '<b>ab</b>', '用户名只能包含文字、数字、下划线和连字符'],
    ['a slash', 'a/b', '用户名只能包含文字、数字、下划线和连字符'],
    ['a zero-width character', 'ad\u200bmin', '用户名不能包含控制字符或零宽字符'],
    ['a change of direction', 'ad\u202emin', '用户名不能包含控制字符或零宽字符'],
    ['a control character', 'ad\u0007min', '用户名不能包含控制字符或零宽字符'],
    ['NUL', 'ad\u0000min', '用户名含有无法保存的字符'],
    ['combining marks alone', '\u0301\u0302', '用户名至少要有一个文字或数字'],
    ['no letter or digit', '_-_', '用户名至少要有一个文字或数字'],
  ])('refuses %s', async (_, username, sentence) => {
    expect(outcome(await signup({ username }))).toEqual(refused(sentence));
  });
});

/** Different characters from `first`, which are no sequence. */
const scattered = (count: number, first: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, index) => first + ((index * 37) % 500)));

describe('password', () => {
  test.each([
    ['eight characters', 'mq7 tz!k'],
    ['128 characters', scattered(128, 0x4e00)],
    ['128 emoji', scattered(128, 0x1f300)],
    ['blanks at its ends', '  abcdef  '],
  ])('takes %s, and then opens the account', async (name, password) => {
    const username = `pw_${name.replaceAll(' ', '_')}`.slice(0, 20);
    expect(verdict(await signup({ username, password, repassword: password }))).toBe('OK');
    expect(verdict(await server.post('/api/signin', { username, password }))).toBe('OK');
  });

  test.each([
    ['seven characters', '1234567', '密码应为 8–128 个字符'],
    ['129 characters', 'a'.repeat(129), '密码应为 8–128 个字符'],
    ['seven emoji', '🙂'.repeat(7), '密码应为 8–128 个字符'],
    ['a common one', 'iloveyou1', '这个密码太容易被猜到，请换一个'],
    ['a sequence', 'abcdefgh', '这个密码太容易被猜到，请换一个'],
    ['128 times the same', 'é'.repeat(128), '这个密码太容易被猜到，请换一个'],
    ['nothing', '', '请填写密码'],
    ['NUL', 'abcdefgh\u0000', '密码含有无法保存的字符'],
  ])('refuses %s', async (_, password, sentence) => {
    expect(outcome(await signup({ username: '无名氏', password, repassword: password }))).toEqual(
      refused(sentence),
    );
  });

  test('has to be repeated, exactly', async () => {
    const differing = await signup({ username: '无名氏', repassword: `${PASSWORD} ` });
    expect(outcome(differing)).toEqual(refused('两次填写的密码不一致'));
    const missing = await server.post('/api/signup', { username: '无名氏', password: PASSWORD });
    expect(outcome(missing)).toEqual(refused('请再次填写密码'));
  });
});

test('gender is m, f or x', async () => {
  for (const gender of ['m', 'f', 'x']) {
    expect(verdict(await signup({ username: `gender_${gender}`, gender }))).toBe('OK');
    expect(verdict(await server.post('/api/user/gender', { gender }, author.token))).toBe('OK');
  }
  expect(outcome(await signup({ username: 'gender_y', gender: 'male' }))).toEqual(
    refused('性别只能是 m、f 或 x'),
  );
});

describe('articles', () => {
  const CONTENT_TOO_LONG = '正文不能超过 200000 个字符';

  test.each<[string, Fields]>([
    ['a title of 120 characters', { title: '题'.repeat(120) }],
    ['a title of 120 emoji', { title: '🏔'.repeat(120) }],
    ['a title with a joined emoji', { title: '👩‍💻 的一天' }],
    ['200,000 Chinese characters', { content: '山水田园。'.repeat(40_000) }],
    ['200,000 emoji', { content: '🏔'.repeat(200_000) }],
    ['200,000 characters and white space around', { content: `\n\n${'字'.repeat(200_000)}\n\n` }],
    [
      'ten tags of thirty characters',
      { tags: Array.from({ length: 10 }, (_, index) => `${index}${'签'.repeat(29)}`) },
    ],
    ['a tag twice, which counts once', { tags: Array.from({ length: 20 }, (_, index) => `重${index % 10}`) }],
    ['tags of punctuation', { tags: ['C++', 'C#', '.NET', 'a/b', '%', '<script>'] }],
    ['a type of thirty characters', { type: '类'.repeat(30) }],
  ])('takes %s', async (_, fields) => expect(verdict(await save(fields))).toBe('OK'));

  test.each<[string, Fields, string]>([
    ['no title', { title: '' }, '请填写标题'],
    ['a title of 121 characters', { title: '题'.repeat(121) }, '标题不能超过 120 个字符'],
    [
      'a title of 121 characters in a draft',
      { title: '题'.repeat(121), status: 'draft' },
      '标题不能超过 120 个字符',
    ],
    ['a line break in the title', { title: '上\n下' }, '标题不能包含控制字符或零宽字符'],
    ['a zero-width character in the title', { title: '上\u200b下' }, '标题不能包含控制字符或零宽字符'],
    ['no content', { content: '' }, '请填写正文'],
    ['blank content', { content: ' \n\t ' }, '请填写正文'],
    ['200,001 characters', { content: '字'.repeat(200_001) }, CONTENT_TOO_LONG],
    ['200,001 emoji', { content: '🏔'.repeat(200_001) }, CONTENT_TOO_LONG],
    ['200,001 characters in a draft', { content: '字'.repeat(200_001), status: 'draft' }, CONTENT_TOO_LONG],
    ['no tag', { tags: '' }, '请至少填写 1 个标签'],
    ['eleven tags', { tags: Array.from({ length: 11 }, (_, index) => `签${index}`) }, '标签不能超过 10 个'],
    ['a tag of 31 characters', { tags: ['签'.repeat(31)] }, '标签不能超过 30 个字符'],
    ['a zero-width character in a tag', { tags: ['上\u200b下'] }, '标签不能包含控制字符或零宽字符'],
    ['an unknown status', { status: 'published' }, '文章状态只能是 normal 或 draft'],
    ['an unclear switch', { secret: 'perhaps' }, '开关的值应为 true 或 false'],
    ['a type of 31 characters', { type: '类'.repeat(31) }, '文章类型不能超过 30 个字符'],
  ])('refuse %s', async (_, fields, sentence) => {
    const before = done(await server.post('/api/signin/getUserInfo', { username: '王维' }, author.token));
    expect(outcome(await save(fields))).toEqual(refused(sentence));
    expect(done(await server.post('/api/signin/getUserInfo', { username: '王维' }, author.token))).toEqual(
      before,
    );
  });
});

describe.each<[string, number, (text: string) => Promise<Answer>, string]>([
  ['a comment', 2000, (text) => comment(text), '评论不能超过 2000 个字符'],
  [
    'a bio',
    500,
    (bio) => server.post('/api/user/updatebio', { bio }, author.token),
    '个人简介不能超过 500 个字符',
  ],
  [
    'a bio at sign-up',
    500,
    (bio) => signup({ username: `b${crypto.randomUUID().slice(0, 8)}`, bio }),
    '个人简介不能超过 500 个字符',
  ],
  [
    'a tag’s description',
    300,
    (description) => createTag({ name: crypto.randomUUID().slice(0, 8), description }),
    '标签描述不能超过 300 个字符',
  ],
  ['a tag’s name', 30, (name) => createTag({ name }), '标签不能超过 30 个字符'],
])('%s', (_, most, send, sentence) => {
  test('is taken at its bound, in Chinese and in emoji', async () => {
    expect(verdict(await send('字'.repeat(most)))).toBe('OK');
    expect(verdict(await send('🏔'.repeat(most)))).toBe('OK');
    expect(verdict(await send(`  ${'词'.repeat(most)}\n`))).toBe('OK');
  });

  test('is refused beyond', async () => {
    for (const character of ['字', '🏔', 'a'])
      expect(outcome(await send(character.repeat(most + 1)))).toEqual(refused(sentence));
  });
});

test.each([
  ['a comment', '/api/comment/create', { content: ' ' }, '请填写评论'],
  ['a tag', '/api/tag/create', { name: '' }, '请填写标签'],
  ['a bio that is not there', '/api/user/updatebio', {}, '请填写个人简介'],
])('%s is needed', async (_, path, fields, sentence) => {
  expect(outcome(await server.post(path, { page_id, ...fields }, author.token))).toEqual(refused(sentence));
});

test('search words end at 100 characters', async () => {
  expect(verdict(await server.post('/api/page/searchpage', { keywords: '字'.repeat(100) }))).toBe('OK');
  expect(outcome(await server.post('/api/page/searchpage', { keywords: '字'.repeat(101) }))).toEqual(
    refused('搜索词不能超过 100 个字符'),
  );
});
