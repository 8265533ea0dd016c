import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { REFUSALS, type RefusalCode } from '../../src/lib/contract/rules/errors.ts';
import type { Outside } from '../../src/lib/server/outside/outside.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { startServer } from '../../src/lib/server/start.ts';
import { callsAfterAnswer } from '../../src/lib/server/storage/storage.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { requireDescribed } from './described.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
/** Return type of `JSON.parse`; the tests assert the actual shape. */
export type Untyped = ReturnType<JSON['parse']>;

export const PASSWORD = '松风吹解带，山月照弹琴';

/** A response as sent over the wire. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  code: string;
  data: Untyped;
  /** Code of the refusal, and the field that it concerns. */
  error?: string;
  field?: string;
}

/** Form fields; lists are encoded as `key[0]=`, as old clients do. */
export type Fields = Record<string, string | number | boolean | readonly string[]>;

export interface Person {
  username: string;
  token: string;
  refresh_token: string;
}

/** The real server over HTTP, with its own database on the engine of this run (`ENGINE`). */
export interface TestServer {
  url: string;
  app: App;
  /** Queries the database directly. */
  rows: TestStorage['rows'];
  /** Sends a form the way old clients do, including `Authorization: Beare <token>`. */
  post(path: string, fields?: Fields, token?: string): Promise<Answer>;
  json(path: string, body: unknown, token?: string): Promise<Answer>;
  get(path: string, token?: string): Promise<Answer>;
  /**
   * Sends exactly this body: as a form by default, as `type` if given, and without Content-Type when `type`
   * is null.
   */
  raw(
    path: string,
    body: BodyInit,
    options?: { type?: string | null; token?: string | undefined },
  ): Promise<Answer>;
  send(path: string, init?: RequestInit): Promise<Answer>;
  /** Creates an account and signs in. */
  join(username: string): Promise<Person>;
  /** Saves an article, public unless `fields` differ; returns its id. */
  write(author: Person, fields?: Fields): Promise<string>;
  /** Comments on an article; returns the comment. */
  comment(writer: Person, page_id: string, fields?: Fields): Promise<Untyped>;
  /** Advances the server's clock. */
  pass(seconds: number): void;
  close(): Promise<void>;
}

/**
 * Starts the built product in this process.
 * @param environment settings in addition to DATA_DIR and PORT; by default rate limits are off and the log is
 * silent
 * @param outside HTTP client for requests to other sites; `openOutside` creates one that may reach this
 * machine
 */
export async function openServer(
  environment: Record<string, string> = {},
  outside?: Outside,
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'moye-api-'));
  const storage = await createStorage(dataDir);
  let offset = 0;
  const settings = {
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    ACCESS_TOKEN_TTL: '86400',
    ...storage.settings,
    ...environment,
    PORT: '0',
  };
  const late: unknown[] = [];
  const onLate = (call: unknown) => void late.push(call);
  subscribe(callsAfterAnswer.name, onLate);
  const app = await createApp(readConfig(settings), () => Date.now() + offset, outside);
  const running = await startServer(app, DIST);
  return {
    ...clientOf(`http://127.0.0.1:${running.port}`),
    app,
    rows: storage.rows,
    pass: (seconds) => void (offset += seconds * 1000),
    async close() {
      await running.stop();
      await app.close();
      unsubscribe(callsAfterAnswer.name, onLate);
      await storage.remove();
      await rm(dataDir, { recursive: true, force: true });
      // Work that outlives its request must run outside the request's context.
      if (late.length > 0) throw late[0];
    },
  };
}

/** Returns a client that talks to a server the way the contract's clients do. */
export function clientOf(url: string): Omit<TestServer, 'app' | 'rows' | 'pass' | 'close'> {
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    // 304 and HEAD have the type without a body.
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    const body: Untyped = isJson ? JSON.parse(text) : { code: '', data: undefined };
    requireCode(response.status, body);
    if (isJson) requireDescribed({ url: path, method: init.method, status: response.status, body });
    return { status: response.status, headers: response.headers, text, ...body };
  };
  const raw: TestServer['raw'] = (path, body, { type = 'application/x-www-form-urlencoded', token } = {}) => {
    // A typed body would set its own Content-Type.
    const plain = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return send(path, {
      method: 'POST',
      body: plain,
      headers: { Authorization: `Beare ${token}`, ...(type === null ? {} : { 'Content-Type': type }) },
    });
  };
  const post: TestServer['post'] = (path, fields = {}, token) => raw(path, toForm(fields), { token });
  return {
    url,
    send,
    raw,
    post,
    json: (path, body, token) => raw(path, JSON.stringify(body), { type: 'application/json', token }),
    get: (path, token) => send(path, { headers: { Authorization: `Beare ${token}` } }),
    async join(username) {
      const answer = await post('/api/signup', { username, password: PASSWORD, repassword: PASSWORD });
      return { username, ...(done(answer) as Pick<Person, 'token' | 'refresh_token'>) };
    },
    async write(author, fields = {}) {
      const article = {
        title: '山居',
        content: '空山新雨后',
        tags: ['诗'],
        status: 'normal',
        secret: 'false',
        ...fields,
      };
      return done(await post('/api/page/new', article, author.token)).id;
    },
    async comment(writer, page_id, fields = {}) {
      return done(await post('/api/comment/create', { content: '好诗', page_id, ...fields }, writer.token));
    },
  };
}

/** Checks every response: a refusal has a known code and the status of that code. */
function requireCode(status: number, body: { code: string; error?: RefusalCode }): void {
  const known = body.error && REFUSALS[body.error]?.status;
  if (known !== (body.code === 'ERROR' ? status : undefined))
    throw new Error(`status ${status} with ${JSON.stringify(body)}`);
}

/** Returns the data of a successful response; throws when the call was refused. */
export function done(answer: Answer): Untyped {
  if (answer.status !== 200 || answer.code !== 'OK')
    throw new Error(`refused: ${answer.status} ${answer.text}`);
  return answer.data;
}

/** Status, code and data of a response, for comparison with `refused`. */
export const outcome = ({ status, code, data }: Answer) => ({ status, code, data });

export const refused = (data: string, status = 200) => ({ status, code: 'ERROR', data });

function toForm(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === 'object') value.forEach((item, index) => form.append(`${key}[${index}]`, item));
    else form.append(key, String(value));
  }
  return form.toString();
}
