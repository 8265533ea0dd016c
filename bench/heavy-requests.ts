import { calls } from '../src/lib/contract/calls/calls.ts';
import { FILE_ROUTES } from '../src/lib/contract/rules/file-routes.ts';
import { MCP_PATH, XML_RPC_PATHS } from '../src/lib/contract/rules/protocols.ts';
import { API_DOCS_PATH } from '../src/lib/shared/pages/api-path.ts';
import { floodOf, PUBLIC_CALLS } from './public-calls.ts';

export interface Sent {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: string;
  type?: string;
}

const FORM = 'application/x-www-form-urlencoded';
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const filled = (part: string, characters: number): string =>
  part.repeat(Math.ceil(characters / part.length)).slice(0, characters);
const ARTICLE_CHARACTERS = 199_900;
const XML_BYTES = 8_000_000;

const file = (index: number, body: string, query = ''): Sent => ({
  method: 'PUT',
  path: `${FILE_ROUTES.syncedFiles.path}/${index}.md${query}`,
  body,
});
const article = (index: number, part: string): Sent => ({
  method: 'POST',
  path: calls.articleCreate.path,
  type: FORM,
  body: form({
    title: '题',
    content: index + filled(part, ARTICLE_CHARACTERS),
    status: 'draft',
    'tags[0]': '标签1',
  }),
});
const xml = (value: string): Sent => ({
  method: 'POST',
  path: XML_RPC_PATHS[0],
  type: 'text/xml',
  body: `<methodCall><methodName>x</methodName><params><param><value>${value}</value></param></params></methodCall>`,
});
const links = (count: number): string => Array.from({ length: count }, (_, at) => `[a](${at}.md)`).join('');

/** Requests of each protocol and of authors: the largest that limits allow, and those slowest to parse. */
const OTHERS: Record<string, (index: number) => Sent> = {
  'a file of 17,000 links': (index) => file(index, links(17_000)),
  'a file of 1,900 links': (index) => file(index, index + links(1_900)),
  'a note of embedded pictures': (index) => file(index, filled('![[p.png]]', 180_000), '?vault=true'),
  'a file of 2 MB': (index) => file(index, filled('[a](1.md) ', 2_000_000)),
  'XML-RPC, 8 MB of CDATA': () => xml(`<![CDATA[${filled(']', XML_BYTES)}]]>`),
  'XML-RPC, 8 MB of elements': () => xml(filled('<a/>', XML_BYTES)),
  'a message of MCP': (index) => ({
    method: 'POST',
    path: MCP_PATH,
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/list' }),
  }),
  'the description of the API': () => ({ method: 'GET', path: FILE_ROUTES.openapi.path }),
  'the documentation of the API': () => ({ method: 'GET', path: API_DOCS_PATH }),
  'a draft of backticks': (index) => article(index, '`'),
  'a draft of line breaks': (index) => article(index, 'a\n'),
  'a draft of brackets': (index) => article(index, '['),
  'a comment of quotes': (index) => ({
    method: 'POST',
    path: calls.commentCreate.path,
    type: FORM,
    body: form({ page_id: '', content: index + filled('> *a* ', 1_900) }),
  }),
};

export const HEAVY = [...PUBLIC_CALLS, ...Object.keys(OTHERS)];

/** Returns request number `index` of a kind in HEAVY. */
export function heavyRequest(kind: string, index: number, articles: readonly string[]): Sent {
  const other = OTHERS[kind];
  if (other) return other(index);
  const { call, fields } = floodOf(kind as (typeof PUBLIC_CALLS)[number]);
  const sent = form(fields(index, articles));
  if (call.method === 'GET') return { method: 'GET', path: `${call.path}?${sent}` };
  return { method: 'POST', path: call.path, body: sent, type: FORM };
}
