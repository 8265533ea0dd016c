import type { SiteOptionChanges } from '../../src/lib/contract/site-options.ts';
import { calls, type CallName } from '../../src/lib/contract/calls/calls.ts';
import { decodeAddress } from '../../src/lib/markdown/decode-address.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { connectAssistant, type Assistant } from './assistant.ts';
import { createToken, openEditor, type Editor } from './editor.ts';
import { done, openServer, type Answer, type Person, type TestServer, type Untyped } from './server.ts';

/** A word that the operator's list refuses. */
export const REFUSED = '赌博';
const NO_RULES = {
  holdArticles: 'none',
  holdComments: 'none',
  holdChanges: 'never',
  keepOrigins: 0,
} as const;

/** An author with every client that can write in their name. */
export interface Author extends Person {
  editor: Editor;
  assistant: Assistant;
  /** Makes a call of the contract; throws when it is refused. */
  call(name: CallName, fields?: object): Promise<Untyped>;
  /** Puts a file of the author's folder; throws when it is refused. */
  put(path: string, text: string): Promise<Untyped>;
  upload(width: number): Promise<string>;
}

export interface WriterStage {
  server: TestServer;
  author: Author;
  newAuthor(): Promise<Author>;
  /** Sets the operator's rules; those that are not named are off. */
  rule(options?: SiteOptionChanges, words?: readonly string[]): Promise<void>;
  /** Saves a public article or comment that no rule concerns; returns its id. */
  publishFreely(fields?: object): Promise<string>;
  commentFreely(): Promise<string>;
  /** Runs `work` without rules. */
  freely<T>(work: () => Promise<T>): Promise<T>;
  /** Ids of the articles and comments that wait for staff. */
  waiting(): Promise<unknown[]>;
  /** Every text that visitors may read, with addresses decoded. */
  publicTexts(): Promise<string>;
  close(): Promise<void>;
}

const ARTICLE = {
  title: '鹿柴',
  content: '空山不见人，但闻人语响',
  tags: ['诗'],
  status: 'normal',
  type: '',
};
const PUBLIC_TABLES = [
  'select username, bio, display_name, website, links from users',
  'select title, description from series',
  'select name, description from tags where is_listed = 1',
  `select title, tags, description, source, slug, type, content from articles
    join article_bodies on article_id = articles.id where is_public = 1`,
  'select content from comments',
  'select name, url, description from friends',
];

export async function openWriterStage(): Promise<WriterStage> {
  const server = await openServer({ SITE_URL: 'https://blog.example' });
  const { options, words } = server.app.services;
  await options.change({ mcp: true }, null);
  const assistants: Assistant[] = [];
  let authors = 0;
  async function newAuthor(): Promise<Author> {
    const person = await server.join(`作者${++authors}`);
    const scopes = ['articles:read', 'articles:write', 'comments:read', 'comments:write', 'pictures:write'];
    const token = await createToken(server, person, scopes);
    const assistant = await connectAssistant(server.url, token);
    assistants.push(assistant);
    const put = (path: string, body: string): Promise<Answer> =>
      server.send(`/api/articles/by-path/${encodeURIComponent(path)}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}` },
        body,
      });
    return {
      ...person,
      assistant,
      editor: openEditor(server.url, { username: person.username, token }),
      call: async (name, fields = {}) => done(await server.json(calls[name].path, fields, person.token)),
      put: async (path, text) => done(await put(path, text)),
      async upload(width) {
        const form = new FormData();
        const picture = await twoColours(width, 20).png().toBuffer();
        form.append('file', new Blob([new Uint8Array(picture)]), 'a.png');
        const answer = await server.send(calls.uploadImage.path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${person.token}` },
          body: form,
        });
        return String(done(answer).url).slice('/api/file/'.length);
      },
    };
  }
  const author = await newAuthor();
  const reader = await newAuthor();

  let current: { options: SiteOptionChanges; words: readonly string[] } = { options: {}, words: [] };
  async function rule(changes: SiteOptionChanges = {}, listed: readonly string[] = []): Promise<void> {
    current = { options: changes, words: listed };
    await options.change({ ...NO_RULES, ...changes }, null);
    const { result } = await words.list({ q: '', category: '', action: '', page: 1, pageSize: 10 });
    const before = result.map(({ id }) => id);
    if (before.length > 0) await words.remove(before, null);
    if (listed.length > 0) await words.add(listed, { category: '', action: 'reject' }, null);
  }
  async function freely<T>(work: () => Promise<T>): Promise<T> {
    const before = current;
    await rule();
    try {
      return await work();
    } finally {
      await rule(before.options, before.words);
    }
  }
  return {
    server,
    author,
    newAuthor,
    rule,
    publishFreely: (fields = {}) =>
      freely(async () => (await author.call('articleCreate', { ...ARTICLE, ...fields })).id),
    commentFreely: () =>
      freely(async () => {
        const { id } = await reader.call('articleCreate', ARTICLE);
        return (await author.call('commentCreate', { page_id: id, content: '好诗' }))._id;
      }),
    freely,
    async waiting() {
      const rows = await server.rows(
        `select id from withheld_items where state = 'held' union select id from pending_changes`,
      );
      return rows.map(({ id }) => id);
    },
    async publicTexts() {
      const texts: string[] = [];
      for (const sql of PUBLIC_TABLES)
        for (const row of await server.rows(sql)) texts.push(Object.values(row).join('\n'));
      return texts.map(decoded).join('\n');
    },
    async close() {
      for (const { client } of assistants) await client.close();
      await server.close();
    },
  };
}

const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decodeAddress(bytes));
