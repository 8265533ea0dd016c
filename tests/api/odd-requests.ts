import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { calls } from '../../src/lib/contract/calls/calls.ts';
import type { Call } from '../../src/lib/contract/calls/call.ts';
import { oneOf } from '../trial.ts';
import { PASSWORD } from './server.ts';

/** A request generated from the contract that no regular client sends. */
export interface OddRequest {
  /** What is odd about it. */
  what: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: BodyInit;
}

export type Person = 'operator' | 'author' | 'visitor';

export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';
const deep = (open: string, close: string, levels: number) => open.repeat(levels) + 1 + close.repeat(levels);

const file = new URL('../fixtures/odd-texts.json', import.meta.url);
const TEXTS: readonly string[] = [
  ...(JSON.parse(readFileSync(file, 'utf8')) as string[]),
  '9'.repeat(400),
  'ß'.repeat(200),
  'e\u0301'.repeat(50),
  'a\u0301'.concat('\u0301'.repeat(2_000)),
  '山'.repeat(10_000),
  'é'.repeat(40_000),
  '['.repeat(20_000),
  '> '.repeat(5_000),
  'a**b'.repeat(5_000),
  '\n'.repeat(50_000),
];

const VALUES: readonly unknown[] = [
  ...TEXTS,
  ...JSON.parse(`[null, true, false, 0, -1, 1e308, -0.5, 9007199254740992, 5e-324,
    [], {}, [null, null], [[[["a"]]]], [{}], [""], ["a", 1, null, {}, []], { "0": "a", "1": {} },
    { "length": 3, "0": "a" }, { "then": "x" }, { "toJSON": 1 }, { "toString": null }, { "": "" },
    { "constructor": { "prototype": 1 } }, { "__proto__": { "x": 1 } },
    ${deep('{"a":', '}', 1_000)}, ${deep('[', ']', 1_000)}]`),
  Array.from({ length: 2_500 }, () => 'a'),
  Array.from({ length: 101 }, (_, at) => `标签${at}`),
];

/** Forms of a field that JSON cannot say. */
const FORMS: readonly ((field: string) => string)[] = [
  (field) => `${field}[a]=1&${field}[b][c]=2`,
  (field) => `${field}[]=1&${field}[]=2&${field}=3`,
  (field) => `${field}[1999]=1`,
  (field) => `${field}[999999999]=1&${field}[-1]=2`,
  (field) => `${field}${'[a]'.repeat(500)}=1`,
  (field) => `${field}${'[]'.repeat(500)}=1`,
  (field) => field,
  (field) => `${field}=1&${field}=2&${field}=3`,
  (field) => `${field}[=1&${field}]=2&${field}[[]]=3`,
  (field) => `${field}[__proto__][x]=1&${field}[constructor]=2&${field}[length]=5`,
  (field) => `__proto__[${field}]=1&constructor[prototype][${field}]=1`,
  (field) => `${field}=%`,
  (field) => `${field}=%ED%A0%80&${field}=%FF`,
  (field) => `${field}%00=1&%00${field}=2`,
];

/** One call, the fields of its input, and what a client could send. */
export interface Target {
  call: Call;
  fields: readonly string[];
}

export const targets: readonly Target[] = Object.values(calls).map((call: Call) => ({
  call,
  fields: fieldsOf(call.input),
}));

/** Names of a schema's fields, those of objects in it among them: `user[name]`. */
function fieldsOf(schema: z.ZodType): string[] {
  const { def } = schema as unknown as { def: Record<string, unknown> };
  const shape = def['shape'] as Record<string, z.ZodType> | undefined;
  if (shape) return Object.entries(shape).flatMap(([name, field]) => [name, ...within(name, field)]);
  const inner = ['innerType', 'in', 'out'].flatMap((key) => (def[key] ? [def[key] as z.ZodType] : []));
  return [...new Set(inner.flatMap(fieldsOf))];
}

function within(name: string, field: z.ZodType): string[] {
  return fieldsOf(field).map((inner) => `${name}[${inner.split('[')[0]}]`);
}

/** Valid values by field name. */
export type Sample = Readonly<Record<string, unknown>>;

export const sampleFor = (known: { id: string; comment: string; series: string }): Sample => ({
  ...known,
  ids: [known.id],
  page_id: known.id,
  title: '题',
  content: '文',
  tags: ['诗'],
  username: '甲1',
  password: PASSWORD,
  repassword: PASSWORD,
  page: 1,
  pageSize: 10,
  keywords: '空山',
  name: '诗',
  to: '画',
  url: 'http://127.0.0.1:9/x.png',
  request_id: 'r',
  reply_user: '甲1',
  reply_content: '',
  kind: 'article',
  reason: 'spam',
  status: 'normal',
  secret: 'false',
  role: 'author',
  email: 'a@example.com',
  code: '000000',
  publish_time: '2027-01-01T00:00:00.000Z',
  update_time: '2026-01-01T00:00:00.000Z',
  imgData: 'data:image/png;base64,AAAA',
});

export interface Stage {
  tokens: Readonly<Record<Person, string | undefined>>;
  sample: Sample;
  random: () => number;
}

/** Every odd value in every field of every call, as JSON and as a form: makers, one for each request. */
export function everyField(): ((stage: Stage) => OddRequest)[] {
  return targets.flatMap((target) =>
    target.fields.flatMap((field) => [
      ...VALUES.map((value) => (stage: Stage) => asJson(stage, target, field, value)),
      ...TEXTS.map((text) => (stage: Stage) => asForm(stage, target, `${field}=${escapeOf(text)}`, field)),
      ...FORMS.map((form) => (stage: Stage) => asForm(stage, target, form(field), field)),
    ]),
  );
}

export function sampleOf({ sample }: Stage, { fields }: Target): Record<string, unknown> {
  const names = fields.filter((field) => !field.includes('['));
  return Object.fromEntries(names.map((name) => [name, sample[name] ?? 'x']));
}

export function asJson(stage: Stage, target: Target, field: string, value: unknown): OddRequest {
  const body = sampleOf(stage, target);
  const [outer = '', inner] = field.split(/[[\]]/);
  if (inner) body[outer] = { ...Object(body[outer]), [inner]: value };
  else if (outer) body[outer] = value;
  const { call } = target;
  if (call.method === 'POST') return post(`${field} as JSON`, stage, target, JSON.stringify(body), JSON_TYPE);
  const query = `${escapeOf(field)}=${escapeOf((JSON.stringify(value) ?? '').slice(0, 4_000))}`;
  return {
    what: `${field} in a query`,
    path: `${call.path}?${query}`,
    method: 'GET',
    headers: headersOf(stage, target),
  };
}

function asForm(stage: Stage, target: Target, part: string, field: string): OddRequest {
  const outer = field.split('[')[0] ?? '';
  const others = Object.entries(sampleOf(stage, target)).filter(([name]) => name !== outer);
  const form = [part, ...others.map(([name, value]) => `${name}=${escapeOf(String(value))}`)].join('&');
  const { call } = target;
  if (call.method === 'POST') return post(`${field} in a form`, stage, target, form, FORM);
  const path = `${call.path}?${form.slice(0, 4_000)}`;
  return { what: `${field} in a query`, path, method: 'GET', headers: headersOf(stage, target) };
}

export function post(what: string, stage: Stage, target: Target, body: BodyInit, type: string): OddRequest {
  const headers = { ...headersOf(stage, target), 'Content-Type': type };
  return { what, path: target.call.path, method: 'POST', headers, body };
}

/** Mostly the operator's token, so that odd values get past the checks of permissions. */
function headersOf({ tokens, random }: Stage, { call }: Target): Record<string, string> {
  const person: Person = random() < 0.8 ? 'operator' : oneOf(['author', 'visitor'], random);
  // These calls end sign-ins; the operator's is needed by all others.
  const isEnding = /signout|devices|password|close|totp|recovery/.test(call.path);
  const token = tokens[isEnding && person === 'operator' ? 'author' : person];
  return token === undefined ? {} : { Authorization: `Beare ${token}` };
}

/** Percent-encodes a text for a form; a lone surrogate, which a form cannot contain, becomes U+FFFD. */
const escapeOf = (text: string) => encodeURIComponent(text.toWellFormed());
