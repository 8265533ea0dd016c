import { fileBytes, type Call } from '../calls/call.ts';
import { calls, type CallName } from '../calls/calls.ts';
import { REFUSALS, type RefusalCode } from '../rules/errors.ts';
import { FILE_ROUTES, type FileRoute } from '../rules/file-routes.ts';
import { CONTENT_NOTICES, type ContentNotice } from '../rules/notice-kinds.ts';
import { COMMON_REFUSALS, refusalsOf } from './call-refusals.ts';
import type { Scope } from '../rules/scopes.ts';
import { answerName, createSchemas, eventName, fieldsName, refTo, type JsonSchema } from './schemas.ts';

interface Media {
  schema: JsonSchema;
}
interface Reference {
  $ref: string;
}
interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, Media>;
}
interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  tags: [group: string];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer | Reference>;
  /** Scope that an access token needs; null if tokens have no effect. Absent if no caller matters. */
  'x-scope'?: Scope | null;
  /** Codes of the call's refusals (CONTRACT.md, "Codes"). */
  'x-refusals': RefusalCode[];
}

export type Method = FileRoute['method'];

/** An OpenAPI 3.1 document, as far as this one has its parts. */
export interface ApiDocument {
  openapi: '3.1.1';
  /** Codes that every call may refuse with. */
  'x-common-refusals': readonly RefusalCode[];
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Lowercase<Method>, Operation>>>;
  webhooks: Record<ContentNotice, { post: Operation }>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Answer>;
    securitySchemes: Record<string, object>;
  };
}

/** Rules of all calls, in Markdown (CONTRACT.md, "Basics"). */
const INTRODUCTION = `这个网站的每个调用都在这里。旧客户端依赖它们的名字、拼写和状态码，所以只会增加，不会改变。

- **身份**：请求头写 \`Authorization: Bearer <令牌>\`。脚本用访问令牌，在「账号设置」里新建；每个调用写明它要的权限。
- **提交**：POST 的内容可以是 JSON，也可以是 qs 形式的表单（\`tags[0]=a&tags[1]=b\`）；开关在表单里写 true 或 false。
- **回答**：成功是 \`{"code": "OK", "data": …}\`；被拒绝是 \`{"code": "ERROR", "data": "中文说明", "error": "原因"}\`，多数情况下 HTTP 状态也是 200，请看 \`code\`。\`error\` 的名字不会变，\`data\` 的文字会。
- **时间**是 ISO 8601 的 UTC 时间，**编号**是 24 位十六进制数，**字数**按字符（码位）计，首尾的空白会去掉。
- **分页**从 1 数起；超出范围的 \`page\`、\`pageSize\` 会改成最近的值，不会被拒绝。
- **次数**太多时是 429，\`Retry-After\` 里写着几秒后再试。
- 不该看到的内容，和不存在的内容回答一样。`;

const BYTES: JsonSchema = { type: 'string', format: 'binary' };
const FILES = { name: '文件和邮件', description: '不用统一格式回答的地址' };
const WEBHOOKS = {
  name: '内容的变化',
  description: '发给站长设置的通知地址（通用 JSON），按 Standard Webhooks 签名；同一篇文章的按顺序',
};
const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
const codes = Object.keys(REFUSALS) as RefusalCode[];
const statuses = [...new Set(codes.map((code) => REFUSALS[code].status))].filter((status) => status !== 200);

/** Schema of a refusal with one of `errors`. */
const refusalOf = (errors: readonly RefusalCode[]): JsonSchema => ({
  allOf: [refTo('Refusal'), { type: 'object', properties: { error: { enum: [...errors] } } }],
});

/** The answers of refusals that have their own HTTP status, by status. */
function refusalAnswers(refused: readonly RefusalCode[]): Record<string, Reference> {
  const own = statuses.filter((status) => refused.some((code) => REFUSALS[code].status === status));
  const answer = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });
  const refs = own.map((status): [string, Reference] => [String(status), answer(`Refusal${status}`)]);
  return { ...Object.fromEntries(refs), default: answer('OtherRefusal') };
}

function sharedAnswers(): Record<string, Answer> {
  const ofStatus = (status: number): [string, Answer] => {
    const own = codes.filter((code) => REFUSALS[code].status === status);
    const waits = status === 429 || status === 503;
    const retryAfter = { 'Retry-After': { description: '几秒后再试', schema: { type: 'integer' } } } as const;
    return [
      `Refusal${status}`,
      {
        description: own.map((code) => `${code}：${REFUSALS[code].text}`).join('；'),
        ...(waits ? { headers: retryAfter } : {}),
        content: json(refusalOf(own)),
      },
    ];
  };
  const otherwise = { description: '没有列出的拒绝', content: json(refTo('Refusal')) };
  return { ...Object.fromEntries(statuses.map(ofStatus)), OtherRefusal: otherwise };
}

function parametersOf({ properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, field]) => {
    const schema = typeof field === 'object' ? field : {};
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: schema.title ?? name,
      schema,
    };
  });
}

function inputOf(
  name: CallName,
  { method, body }: Call,
  fields: JsonSchema,
): Pick<Operation, 'parameters' | 'requestBody'> {
  const isEmpty = Object.keys(fields.properties ?? {}).length === 0 && fields.oneOf === undefined;
  if (isEmpty) return {};
  if (method === 'GET') return { parameters: parametersOf(fields) };
  const media = { schema: refTo(fieldsName(name)) };
  const content =
    body.kind === 'file'
      ? { 'multipart/form-data': media }
      : { 'application/json': media, 'application/x-www-form-urlencoded': media };
  return { requestBody: { required: (fields.required ?? []).length > 0, content } };
}

function operationOf(name: CallName, call: Call, schemas: ReturnType<typeof createSchemas>): Operation {
  const { auth, scope, output, group, title, description } = call;
  const refused = refusalsOf(call);
  const withOk = refused.filter((code) => REFUSALS[code].status === 200);
  const isFile = output === fileBytes;
  const bearer = { bearer: scope === null ? [] : [scope] };
  const done = schemas.answers[answerName(name)] ?? {};
  const content = isFile
    ? { 'image/*': { schema: BYTES }, ...json(refusalOf(withOk)) }
    : json({ oneOf: [done, refusalOf(withOk)] });
  return {
    operationId: name,
    tags: [group.name],
    summary: title,
    ...(description === undefined ? {} : { description }),
    security: auth === 'required' ? [bearer] : [{}, bearer],
    'x-scope': scope,
    ...inputOf(name, call, schemas.fields[fieldsName(name)] ?? {}),
    responses: { 200: { description: '成功，或者被拒绝', content }, ...refusalAnswers(refused) },
    'x-refusals': refused,
  };
}

const formOf = (fields: Readonly<Record<string, string>>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, title]) => [name, { type: 'string', title }]),
  ),
});

function fileOperation(name: string, route: FileRoute): Operation {
  const { path, summary, parameters, form, type, scope, body, refuses } = route;
  const shown = Object.entries(parameters).map(([each, description]): Parameter => {
    const isPart = path.includes(`{${each}}`);
    return {
      name: each,
      in: isPart ? 'path' : 'query',
      required: isPart,
      description,
      schema: { type: 'string' },
    };
  });
  const content = form
    ? { 'application/x-www-form-urlencoded': { schema: formOf(form) } }
    : body && { [body]: { schema: BYTES } };
  const schema: JsonSchema = type === 'application/json' ? { type: 'object' } : BYTES;
  return {
    operationId: name,
    tags: [FILES.name],
    summary,
    security: [scope === undefined ? {} : { bearer: [scope] }],
    ...(scope === undefined ? {} : { 'x-scope': scope }),
    ...(shown.length > 0 ? { parameters: shown } : {}),
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      ...(type === undefined
        ? { 302: { description: '转到网页' } }
        : { 200: { description: '成功', content: { [type]: { schema } } } }),
      ...refusalAnswers(refuses),
    },
    'x-refusals': [...refuses],
  };
}

/** Requests of this site to the receivers that the operator has chosen. */
function webhookOf(event: ContentNotice): { post: Operation } {
  return {
    post: {
      operationId: event,
      tags: [WEBHOOKS.name],
      summary: CONTENT_NOTICES[event],
      security: [{}],
      requestBody: { required: true, content: json(refTo(eventName(event))) },
      responses: { 200: { description: '任何 2xx 都是收下了' } },
      'x-refusals': [],
    },
  };
}

const webhooks = () =>
  Object.fromEntries(
    (Object.keys(CONTENT_NOTICES) as ContentNotice[]).map((event) => [event, webhookOf(event)]),
  ) as ApiDocument['webhooks'];

/** Returns the schemas that the routes refer to, directly or not. */
function usedSchemas(routes: object, all: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const used = new Set(['Refusal']);
  const note = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      note(all[name]);
    }
  };
  note(routes);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

function createDocument(): ApiDocument {
  const schemas = createSchemas();
  const paths: ApiDocument['paths'] = {};
  const groups = new Map(Object.values<Call>(calls).map(({ group }) => [group.name, group]));
  const add = (path: string, method: Method, operation: Operation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const [name, call] of Object.entries<Call>(calls))
    add(call.path, call.method, operationOf(name as CallName, call, schemas));
  for (const [name, route] of Object.entries(FILE_ROUTES))
    add(route.path, route.method, fileOperation(name, route));
  return {
    openapi: '3.1.1',
    'x-common-refusals': COMMON_REFUSALS,
    info: {
      title: '墨页 API',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...groups.values(), FILES, WEBHOOKS],
    paths,
    webhooks: webhooks(),
    components: {
      schemas: usedSchemas({ paths, webhooks: webhooks() }, { ...schemas.answers, ...schemas.fields }),
      responses: sharedAnswers(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '访问令牌，或者登录得到的 token' },
      },
    },
  };
}

let document: ApiDocument | undefined;

/** Returns the description of all routes under /api, generated from the calls on first use. */
export const apiDocument = (): ApiDocument => (document ??= createDocument());
