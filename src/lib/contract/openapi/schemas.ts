import { z } from 'zod';
import * as account from '../account-entities.ts';
import * as article from '../calls/article-calls.ts';
import type { Call } from '../calls/call.ts';
import { calls, type CallName } from '../calls/calls.ts';
import * as discovery from '../calls/discovery-calls.ts';
import * as moderation from '../calls/moderation-calls.ts';
import * as navigation from '../calls/navigation-calls.ts';
import * as notice from '../calls/notice-calls.ts';
import * as origin from '../calls/origin-calls.ts';
import * as picture from '../calls/picture-calls.ts';
import * as profile from '../calls/profile-calls.ts';
import * as review from '../calls/review-calls.ts';
import * as signup from '../calls/signup-calls.ts';
import * as staff from '../calls/staff-calls.ts';
import * as tag from '../calls/tag-calls.ts';
import * as entities from '../entities.ts';
import * as humanCheck from '../human-check.ts';
import { REFUSALS } from '../rules/errors.ts';
import { CONTENT_NOTICES, type ContentNotice } from '../rules/notice-kinds.ts';
import * as site from '../site.ts';
import * as options from '../site-options.ts';
import { routes } from '../routes.generated.ts';
import { namesOf } from '../titled.ts';
import { eventSchema } from '../webhook-events.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Modules whose exported schemas are components under the names of the exports. */
const MODULES: readonly object[] = [
  entities,
  account,
  humanCheck,
  site,
  options,
  discovery,
  review,
  moderation,
  navigation,
  notice,
  origin,
  picture,
  profile,
  article,
  signup,
  staff,
  tag,
];
const PREFIX = '#/components/schemas/';
export const refTo = (name: string) => ({ $ref: PREFIX + name });

const Refusal = z.object({
  code: z.literal('ERROR'),
  data: z.string().meta({ title: '给人看的中文说明' }),
  error: z.enum(namesOf(REFUSALS)).meta({ title: '拒绝的原因' }),
  field: z.string().optional().meta({ title: '有误的字段' }),
  ticket: z.string().optional().meta({ title: '继续登录要用的编号' }),
});

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
export const fieldsName = (name: CallName) => `${capitalised(name)}Fields`;
export const answerName = (name: CallName) => `${capitalised(name)}Answer`;
export const eventName = (event: ContentNotice) => `${event.split('.').map(capitalised).join('')}Event`;

type Registry = ReturnType<typeof z.registry<{ id: string }>>;

/** Returns the JSON Schemas of a registry's zod schemas by id, referring to each other as components. */
function convert(registry: Registry, io: 'input' | 'output'): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => PREFIX + id,
    // Only the bytes of files, whose metadata has the type.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'object') {
        // A newer server may answer more fields.
        if (!def.catchall) delete jsonSchema.additionalProperties;
        if (io === 'input') jsonSchema.required = requiredOf(def.shape);
        if (jsonSchema.required?.length === 0) delete jsonSchema.required;
      }
      // Formats say the same as these patterns of zod, and every integer in JSON is safe.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      delete schema.$id;
      delete schema.$schema;
      return [id, JSON.parse(JSON.stringify(schema), titleLast) as JsonSchema];
    }),
  );
}

/** Puts the title of a reference or of a nullable field last, where zod puts that of other fields. */
function titleLast(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('title' in value)) return value;
  const { title, ...others } = value as JsonSchema;
  return others.$ref !== undefined || Array.isArray(others.type) ? { ...others, title } : value;
}

/** Names of the fields that the call refuses to lack: zod requires fields that `catch` a missing value. */
const requiredOf = (shape: z.core.$ZodShape): string[] =>
  Object.entries(shape).flatMap(([name, field]) => (z.safeParse(field, undefined).success ? [] : [name]));

/** Schemas of all calls' fields and answers, and of the entities that these refer to. */
export function createSchemas() {
  const inputs: Registry = z.registry<{ id: string }>();
  const outputs: Registry = z.registry<{ id: string }>();
  outputs.add(Refusal, { id: 'Refusal' });
  for (const [name, schema] of MODULES.flatMap((module) => Object.entries(module) as [string, unknown][]))
    if (schema instanceof z.ZodType && /^[A-Z]/.test(name)) outputs.add(schema, { id: name });
  for (const name of Object.keys(routes) as CallName[]) {
    const { input, output }: Call = calls[name];
    inputs.add(input, { id: fieldsName(name) });
    outputs.add(z.object({ code: z.literal('OK'), data: output }), { id: answerName(name) });
  }
  for (const event of Object.keys(CONTENT_NOTICES) as ContentNotice[])
    outputs.add(eventSchema(event), { id: eventName(event) });
  return { fields: convert(inputs, 'input'), answers: convert(outputs, 'output') };
}
