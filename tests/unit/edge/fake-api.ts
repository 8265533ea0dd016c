import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached the fake. */
interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  fields: URLSearchParams;
}

/** Replaces the fake's own response. */
type Answering = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/**
 * A server that implements CONTRACT.md literally and nothing else: no highlights, no update_time, no delete
 * call.
 */
export interface FakeApi extends AsyncDisposable {
  origin: string;
  received: Received[];
  articles: ReturnType<typeof article>[];
  comments: object[];
  /** Whether it supports pages of comments, as our own server does. */
  knowsCommentPages: boolean;
  /** Whether it also supports the other orders. */
  knowsCommentOrders: boolean;
  /** Data of calls beyond the bare contract, by path. */
  extras: Record<string, unknown>;
  /** Replaces all responses; undefined restores the contract's responses. */
  answer: Answering | undefined;
  /** Replaces the response of one call. */
  failing: { path: string; answer: Answering } | undefined;
  /** Stops accepting connections; `start` listens again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const TOKEN_OF_AUTHOR = 'header.e30.sign';
const AT = '2024-01-02T03:04:05.000Z';

export const idOf = (number: number) => number.toString(16).padStart(24, '0');

/** An article in the API's format, without later additions to the contract. */
export function article(number: number, fields: Record<string, unknown> = {}) {
  return {
    _id: idOf(number),
    title: `第 ${number} 篇`,
    tags: ['随笔'],
    create_user: '林间',
    create_time: AT,
    content: `正文 **${number}**。`,
    status: 'normal',
    secret: false,
    ...fields,
  };
}

export const comment = (number: number) => ({
  _id: idOf(number),
  content: `评论 ${number}`,
  create_user: '读者',
  to_user: '林间',
  page_id: idOf(1),
  page_title: '题',
  create_time: AT,
  is_read: false,
  reply_user: '',
  reply_content: '',
});

const tag = {
  _id: idOf(77),
  name: '随笔',
  description: '',
  create_user: '林间',
  create_time: AT,
  update_time: AT,
  page_num: 3,
};
const user = { _id: idOf(88), username: '林间', avatar: '', gender: 'x', bio: '写字', create_time: AT };

/** Opens the fake on a free port. */
export async function openFakeApi(): Promise<FakeApi> {
  const server = createServer((request, response) => void serve(request, response));
  const api = {
    received: [],
    articles: [],
    comments: [],
    knowsCommentPages: false,
    knowsCommentOrders: false,
    extras: {},
    answer: undefined,
    failing: undefined,
  } as unknown as FakeApi;
  let port = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const received = { method: request.method ?? '', path, headers: request.headers };
    const answer = api.answer ?? (path === api.failing?.path ? api.failing.answer : undefined);
    if (answer) {
      const seen = { ...received, fields: new URLSearchParams() };
      api.received.push(seen);
      return answer(request, response, seen);
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const fields = new URLSearchParams(body);
    api.received.push({ ...received, fields });
    const type = request.headers['content-type'] ?? '';
    if (request.method === 'POST' && body !== '' && !type.startsWith('application/x-www-form-urlencoded'))
      return send(response, 200, 'ERROR', '不支持的请求类型');
    const isAuthor = request.headers.authorization === `Beare ${TOKEN_OF_AUTHOR}`;
    return reply(response, path, fields, isAuthor);
  }

  function pageOfComments(fields: URLSearchParams): object[] {
    const sort = api.knowsCommentOrders ? fields.get('sort') : null;
    const isForward = sort === 'oldest' || sort === 'conversation';
    const comments = sort === 'oldest' ? api.comments.toReversed() : api.comments;
    const size = Number(fields.get('pageSize'));
    const offset = (Math.min(Number(fields.get('page')), Math.ceil(comments.length / size)) - 1) * size;
    const items = comments.slice(offset, offset + size);
    const positionOf = (at: number) => (isForward ? at + 1 : comments.length - at);
    return items.map((item, index) => ({ ...item, position: positionOf(offset + index) }));
  }

  function reply(response: ServerResponse, path: string, fields: URLSearchParams, isAuthor: boolean): void {
    const ok = (data: unknown) => send(response, 200, 'OK', data);
    const refuse = (sentence: string) => send(response, 200, 'ERROR', sentence);
    if (Object.hasOwn(api.extras, path)) return ok(api.extras[path]);
    const visible = api.articles.filter(({ status, secret }) => status === 'normal' && !secret);
    const list = (all: object[]) => {
      const [page, size] = [Number(fields.get('page')), Number(fields.get('pageSize'))];
      ok({ result: all.slice((page - 1) * size, page * size), total: all.length });
    };
    switch (path) {
      case '/api/page/pagelist':
        return list(visible);
      case '/api/page/searchpage':
        return list(visible.filter(({ title }) => title.includes(fields.get('keywords') ?? '')));
      case '/api/page/detail': {
        const found = (isAuthor ? api.articles : visible).find(({ _id }) => _id === fields.get('id'));
        return found ? ok(found) : refuse('文章不存在');
      }
      case '/api/comment/getpagecommentlist':
        return ok(api.knowsCommentPages ? pageOfComments(fields) : api.comments);
      case '/api/tag/taglist':
        return list([tag]);
      case '/api/tag/tagdetail':
        return fields.get('name') === tag.name ? ok(tag) : refuse('标签不存在');
      case '/api/user/detail':
        return fields.get('username') === user.username ? ok(user) : refuse('用户不存在');
      case '/api/tag/alltags':
        return ok([tag.name]);
      default:
        return send(response, 404, 'ERROR', '接口不存在');
    }
  }

  api.start = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    api.origin = `http://127.0.0.1:${port}`;
  };
  api.stop = async () => {
    server.closeAllConnections();
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  api[Symbol.asyncDispose] = async () => {
    if (server.listening) await api.stop();
  };
  await api.start();
  return api;
}

function send(response: ServerResponse, status: number, code: string, data: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ code, data }));
}
