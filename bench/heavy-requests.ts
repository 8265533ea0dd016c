import { calls, type CallName } from '../src/lib/contract/calls/calls.ts';
import { FILE_ROUTES } from '../src/lib/contract/rules/file-routes.ts';
import { API_DOCS_PATH, XML_RPC_PATHS } from '../src/lib/contract/rules/paths.ts';
import { feedUrl, sitemapUrl } from '../src/lib/shared/urls.ts';
import type { Target } from './attacks.ts';
import { largeBmp, largeSvg, multipart, noisePicture } from './heavy-pictures.ts';
import { floodOf, PUBLIC_CALLS } from './public-calls.ts';
import { author, AUTHORS, TAGS } from './seed.ts';
import {
  filled,
  ARTICLE_CHARACTERS,
  XML_BYTES,
  PAGE_SIZE,
  ACTIVITY_PAGES,
  called,
  file,
  picture,
  draft,
  member,
  struct,
  rpc,
  message,
  page,
  links,
  data,
  json,
  type Kind,
} from './heavy-kinds.ts';

const WORDS = [
  '缓存',
  '线程',
  '数据库',
  '"一个',
  '*',
  'a*',
  '事务',
  '锁',
  'C++',
  '(',
  'NOT',
  'OR',
  '内存',
  '服务',
];

/** Requests that take a call's fields from elsewhere than `floodOf`, and those of other protocols. */
const OTHERS: Record<string, Kind> = {
  'a file of 17,000 links': file(() => links(17_000), { answer: 'FIELD_INVALID' }),
  'a file of 1,900 links': file((index) => index + links(1_900)),
  'a note of embedded pictures': file((index) => index + filled('![[p.png]]', 180_000), {
    query: '?vault=true',
    answer: 'CONTENT_TOO_COMPLEX',
  }),
  'a file of 2 MB': file(() => filled('[a](1.md) ', 2_000_000), { answer: 'FIELD_INVALID', isLarge: true }),
  'a file of front matter': file((index) => `---\n${filled('a: [b, c]\n', 150_000)}---\n${index}`, {
    answer: 'FIELD_INVALID',
  }),
  'XML-RPC of a visitor, 8 MB': {
    request: () => ({
      method: 'POST',
      path: XML_RPC_PATHS[0],
      type: 'text/xml',
      body: `<methodCall><methodName>x</methodName><params>${filled('<a/>', XML_BYTES)}`,
    }),
    answer: 'fault -32601',
    isLarge: true,
  },
  'XML-RPC, 8 MB of CDATA': rpc(
    'metaWeblog.newPost',
    () => struct(member('description', `<![CDATA[${filled(']', XML_BYTES)}]]>`)),
    'fault 413',
  ),
  'XML-RPC, 8 MB of elements': rpc('metaWeblog.newPost', () => filled('<a/>', XML_BYTES), 'fault 413'),
  'XML-RPC, 8 MB of members': rpc(
    'metaWeblog.newPost',
    () => struct(filled(member('a', '<i4>1</i4>'), XML_BYTES)),
    'fault 413',
  ),
  'XML-RPC, a post of 200,000 characters': rpc('metaWeblog.newPost', (index) =>
    struct(member('title', '题') + member('description', index + filled('字', ARTICLE_CHARACTERS))),
  ),
  // Cut off, because the whole picture is too large for XML-RPC.
  'XML-RPC, a picture of 6 MB': rpc(
    'metaWeblog.newMediaObject',
    async () => struct(member('name', 'a.png') + member('bits', `<base64>${await data(6_000_000)}</base64>`)),
    'fault 400',
  ),
  'MCP, the list of tools': message('tools/list', {}),
  'MCP, a search': {
    request: (index, target) =>
      message('tools/call', {
        name: 'search_articles',
        arguments: { keywords: `缓存 ${index}` },
      }).request(index, target),
  },
  'MCP, a draft of 200,000 characters': {
    request: (index, target) =>
      message('tools/call', {
        name: 'create_draft',
        arguments: { title: '题', content: index + filled('字', ARTICLE_CHARACTERS) },
      }).request(index, target),
    isLarge: true,
  },
  'the description of the API': page(() => FILE_ROUTES.openapi.path),
  'the documentation of the API': page(() => API_DOCS_PATH),
  'a feed of an author': page((index) =>
    feedUrl({ kind: 'user', name: author(index % AUTHORS).username }, 'atom'),
  ),
  'a feed of a tag': page((index) => feedUrl({ kind: 'tag', name: `标签${index % TAGS}` }, 'json')),
  'a sitemap': page((index) => sitemapUrl(['articles', 'users', 'tags'][index % 3] ?? '', 0)),
  'a page of a search': page((index) => `/home/${encodeURIComponent(`缓存 ${index}`)}`),
  'far pages of activities': {
    request: (index) =>
      called('activityList', {
        page: String(ACTIVITY_PAGES - (index % 20)),
        pageSize: String(PAGE_SIZE - (Math.floor(index / 20) % 20)),
      }),
  },
  'a search of many words': {
    request: (index) =>
      called('searchArticles', {
        keywords: [index, ...WORDS, ...WORDS].join(' ').slice(0, 100),
        details: 'true',
        page: String(1 + (index % 10)),
        pageSize: String(PAGE_SIZE),
      }),
  },
  'a search of one long word': {
    request: (index) => called('searchArticles', { keywords: index + filled('的是一', 90), pageSize: '100' }),
  },
  'links of a profile': {
    request: (index) =>
      called(
        'profileChange',
        {
          display_name: '',
          website: `https://a.example/${filled('%E4', 150)}`,
          ...Object.fromEntries(
            Array.from({ length: 5 }, (_, at) => [
              `profile_links[${at}]`,
              `https://${filled('a.', 120)}b/${index}/${at}`,
            ]),
          ),
        },
        'author',
      ),
  },
  'a form of 2,000 keys': {
    request: (index, { articles }) =>
      called('articleDetail', {
        id: articles[index % articles.length] ?? '',
        ...Object.fromEntries(
          Array.from({ length: 1_990 }, (_, at) => [`k${at}[a][b][c]`, filled('a', 100)]),
        ),
      }),
  },
  'a form of nested keys': {
    request: (index, { articles }) =>
      called('articleDetail', {
        id: articles[index % articles.length] ?? '',
        ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}${filled('[a]', 900)}`, 'a'])),
      }),
  },
  'JSON of 60,000 values': {
    request: (index, { articles }) =>
      json('articleDetail', { id: articles[index % articles.length], more: Array(60_000).fill(0) }),
  },
  'JSON of 4 MB of values': {
    request: (index) => ({
      ...json('articleCreate', { index, more: Array(2_000_000).fill(0) }),
      as: 'author',
    }),
    answer: 'BODY_TOO_LARGE',
    isLarge: true,
  },
  'a draft of backticks': draft((index) => index + filled('`', ARTICLE_CHARACTERS)),
  'a draft of line breaks': draft((index) => index + filled('a\n', ARTICLE_CHARACTERS)),
  'a draft of brackets': draft((index) => index + filled('[', ARTICLE_CHARACTERS)),
  'a draft of prose': draft(
    (index) => index + filled('落霞与孤鹜齐飞，秋水共长天一色。', ARTICLE_CHARACTERS),
  ),
  'a draft of data URLs': draft(
    (index) =>
      index + filled(`![](data:image/png;base64,${filled('iVBORw0KGgo', 2_000)}) `, ARTICLE_CHARACTERS),
  ),
  'a published article of prose': draft(
    (index) => index + filled(`${filled('落霞与孤鹜齐飞，秋水共长天一色。', 1_000)}\n\n`, ARTICLE_CHARACTERS),
    'normal',
  ),
  'a comment of quotes': {
    request: (index, { articles }) =>
      called(
        'commentCreate',
        { page_id: articles[index % articles.length] ?? '', content: index + filled('> *a* ', 1_900) },
        'author',
      ),
  },
  'a picture of 7 MB': {
    request: async () => {
      const { body, type } = multipart(await noisePicture());
      return { method: 'POST', path: calls.uploadImage.path, body, type, as: 'author' };
    },
    isLarge: true,
  },
  'an SVG of 1 MB': picture((index) => `${index}.svg`, largeSvg),
  'a BMP of 16 MB': picture((index) => `${index}.bmp`, largeBmp),
  'an avatar as a data URL of 9 MB': {
    request: async () =>
      called('uploadAvatar', { imgData: `data:image/png;base64,${await data()}` }, 'author'),
    isLarge: true,
  },
};

/** Fields that a call needs in order to be worked on. */
const FIELDS: Partial<Record<CallName, (index: number) => Record<string, string>>> = {
  signup: (index) => ({
    username: `来客${index}`,
    password: 'password-1',
    repassword: 'password-1',
    gender: 'x',
    bio: '',
  }),
  signin: (index) => author(index % AUTHORS),
  feed: (index) =>
    index % 2 === 0
      ? { kind: 'user', name: author(index % AUTHORS).username }
      : { kind: 'tag', name: `标签${index % TAGS}` },
  archive: (index) => ({
    year: String(2020 + (index % 7)),
    month: String(1 + (index % 12)),
    page: String(1 + (index % 5)),
  }),
  passwordReset: (index) => ({ token: `t${index}`, new_password: 'password-1', repassword: 'password-1' }),
  operatorSetup: (index) => ({
    key: `k${index}`,
    username: `站长${index}`,
    password: 'password-1',
    repassword: 'password-1',
  }),
  passkeySignin: (index) => ({
    response: JSON.stringify({
      id: `AAAA${index}`,
      rawId: `AAAA${index}`,
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
      clientExtensionResults: {},
    }),
  }),
};

/** Answers of public calls for which nothing is prepared: of links, tickets and files that do not exist. */
const ANSWERS: Partial<Record<CallName, string>> = {
  signinFinish: 'TICKET_OVER',
  emailVerify: 'LINK_OVER',
  passwordReset: 'LINK_OVER',
  passkeySignin: 'PASSKEY_UNUSABLE',
  formerPath: 'ARTICLE_NOT_FOUND',
  seriesDetail: 'SERIES_NOT_FOUND',
  avatar: 'FILE_NOT_FOUND',
  operatorSetup: 'SETUP_LINK_INVALID',
};

export const HEAVY: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    PUBLIC_CALLS.map((name): [string, Kind] => {
      const { fields } = floodOf(name);
      const request = (index: number, { articles }: Target) =>
        called(
          name,
          FIELDS[name]?.(index) ?? fields(index, articles),
          name === 'refreshToken' ? 'refresh' : undefined,
        );
      return [name, { request, answer: ANSWERS[name] ?? 'OK' }];
    }),
  ),
  ...OTHERS,
};
