import xmlrpc from 'xmlrpc';
import { done, openServer, PASSWORD, type Person, type TestServer, type Untyped } from './server.ts';

/** Id of the one blog. */
export const BLOG = '1';
export const POST = { title: '鹿柴', description: '空山不见人', categories: ['诗'] };
const ALL_SCOPES = ['articles:read', 'articles:write', 'pictures:write'];

/** Creates an access token of `person`. */
export async function createToken(
  server: Pick<TestServer, 'json'>,
  person: Person,
  scopes: readonly string[] = ALL_SCOPES,
): Promise<string> {
  const fields = { name: '编辑器', scopes, days: 30, password: PASSWORD };
  return done(await server.json('/api/user/tokens/create', fields, person.token)).token;
}

interface Fault {
  faultCode: number;
  faultString: string;
}

/** A blog editor that calls XML-RPC methods with the `xmlrpc` package. */
export interface Editor {
  call(method: string, ...params: unknown[]): Promise<Untyped>;
  /** Calls a method with `subject`, user name and token before `params`. */
  act(method: string, subject: string, ...params: unknown[]): Promise<Untyped>;
  /** The fault with which `act` is refused. */
  fault(method: string, subject: string, ...params: unknown[]): Promise<Fault>;
}

export function openEditor(
  url: string,
  { username, token }: { username: string; token: string },
  path = '/xmlrpc.php',
): Editor {
  const client = xmlrpc.createClient({ url: url + path });
  const call: Editor['call'] = (method, ...params) =>
    new Promise((resolve, reject) => {
      client.methodCall(method, params, (error: unknown, value: unknown) =>
        error ? reject(Object.assign(new Error('fault'), error)) : resolve(value),
      );
    });
  const act: Editor['act'] = (method, subject, ...params) =>
    call(method, ...(method.endsWith('.deletePost') ? ['key'] : []), subject, username, token, ...params);
  return {
    call,
    act,
    fault: (method, subject, ...params) =>
      act(method, subject, ...params).then(
        (value) => {
          throw new Error(`not refused: ${JSON.stringify(value)}`);
        },
        ({ faultCode, faultString }: Fault) => ({ faultCode, faultString }),
      ),
  };
}

export interface EditorStage {
  server: TestServer;
  author: Person;
  editor: Editor;
  /** Creates a post by the editor; returns its id. */
  create: (fields?: object, publish?: boolean) => Promise<string>;
  /** Returns the post as its author edits it on the site. */
  source: (id: string) => Promise<Untyped>;
  /** Returns the Markdown that visitors read, or null if the post is not public. */
  seenByVisitors: (id: string) => Promise<string | null>;
}

/** A server with an author and their editor. */
export async function openEditorStage(settings: Record<string, string> = {}): Promise<EditorStage> {
  const server = await openServer(settings);
  const author = await server.join('王维');
  const editor = openEditor(server.url, { username: '王维', token: await createToken(server, author) });
  return {
    server,
    author,
    editor,
    create: (fields = {}, publish = true) =>
      editor.act('metaWeblog.newPost', BLOG, { ...POST, ...fields }, publish),
    source: async (id) => done(await server.post('/api/page/editdetail', { id }, author.token)),
    async seenByVisitors(id) {
      const answer = await server.post('/api/page/detail', { id });
      return answer.code === 'OK' ? answer.data.content : null;
    },
  };
}

/** Writes a call with parameters made by `param`. */
export const call = (params: string, method = 'metaWeblog.newPost') =>
  `<methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`;
export const param = (value: string) => `<param><value>${value}</value></param>`;

/** Returns code and text of the fault in an answer. */
export function faultIn(answer: string): [number, string] {
  const [, code, said = ''] =
    /<name>faultCode<\/name><value><int>(-?\d+)<\/int>.*<name>faultString<\/name><value><string>(.*?)<\/string>/.exec(
      answer,
    ) ?? [];
  return [Number(code), said];
}
