import { calls, type CallName } from '../src/lib/contract/calls/calls.ts';
import { FILE_ROUTES } from '../src/lib/contract/rules/file-routes.ts';
import { MCP_PATH, XML_RPC_PATHS } from '../src/lib/contract/rules/paths.ts';
import type { Target } from './attacks.ts';
import { noisePicture } from './heavy-pictures.ts';

export interface Sent {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: string | Buffer;
  type?: string;
  /** Token to send: of a browser's sign-in, the one that renews it, or an access token. */
  as?: 'author' | 'refresh' | 'program';
}

export interface Kind {
  /** Request number `index`. Requests of different numbers share no cached answer where possible. */
  request(index: number, target: Target): Sent | Promise<Sent>;
  /** Answer of a request that was worked on, as `answerOf` in burst.ts names it; OK by default. */
  answer?: string;
  /** Whether the memory after 60 such requests is measured. */
  isLarge?: true;
}

const FORM = 'application/x-www-form-urlencoded';
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
export const filled = (part: string, characters: number): string =>
  part.repeat(Math.ceil(characters / part.length)).slice(0, characters);
export const ARTICLE_CHARACTERS = 199_900;
export const XML_BYTES = 8_000_000;
export const PAGE_SIZE = 100;
/** Pages of activities in the seeded database. */
export const ACTIVITY_PAGES = 45;

export function called(name: CallName, fields: Record<string, string>, as?: 'author' | 'refresh'): Sent {
  const { method, path } = calls[name];
  const sent = as === undefined ? {} : { as };
  if (method === 'GET') return { method, path: `${path}?${form(fields)}`, ...sent };
  return { method: 'POST', path, type: FORM, body: form(fields), ...sent };
}

/** A file in the author's folder. */
export const file = (
  write: (index: number) => string,
  more: Partial<Kind> & { query?: string } = {},
): Kind => {
  const { query = '', ...kind } = more;
  const path = (index: number) => `${FILE_ROUTES.syncedFiles.path}/${index}.md${query}`;
  return {
    request: (index) => ({ method: 'PUT', path: path(index), body: write(index), as: 'program' }),
    ...kind,
  };
};

/** A picture in the author's folder. */
export const picture = (name: (index: number) => string, draw: (index: number) => Buffer): Kind => ({
  request: (index) => ({
    method: 'PUT',
    path: FILE_ROUTES.syncedPicturePut.path.replace('{path}', name(index)),
    body: draw(index),
    as: 'program',
  }),
  isLarge: true,
});

export const draft = (write: (index: number) => string, status: 'draft' | 'normal' = 'draft'): Kind => ({
  request: (index) =>
    called('articleCreate', { title: '题', content: write(index), status, 'tags[0]': '标签1' }, 'author'),
  isLarge: true,
});

export const member = (name: string, value: string): string =>
  `<member><name>${name}</name><value>${value}</value></member>`;
export const struct = (members: string): string => `<struct>${members}</struct>`;

/** An XML-RPC call of the bearer of an access token. */
export const rpc = (
  method: string,
  write: (index: number) => string | Promise<string>,
  answer = 'OK',
): Kind => ({
  async request(index, { username, program }) {
    const params = ['1', username, program, await write(index)].map(
      (value) => `<param><value>${value}</value></param>`,
    );
    const body = `<methodCall><methodName>${method}</methodName><params>${params.join('')}</params></methodCall>`;
    return { method: 'POST', path: XML_RPC_PATHS[0], type: 'text/xml', body };
  },
  answer,
  isLarge: true,
});

export const message = (method: string, params: object): Kind => ({
  request: (id) => ({
    method: 'POST',
    path: MCP_PATH,
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    as: 'program',
  }),
});

export const page = (path: (index: number) => string): Kind => ({
  request: (index) => ({ method: 'GET', path: path(index) }),
});

export const links = (count: number): string =>
  Array.from({ length: count }, (_, at) => `[a](${at}.md)`).join('');
export const data = async (bytes?: number): Promise<string> =>
  (await noisePicture()).subarray(0, bytes).toString('base64');
export const json = (name: CallName, value: object): Sent => ({
  method: 'POST',
  path: calls[name].path,
  type: 'application/json',
  body: JSON.stringify(value),
});
