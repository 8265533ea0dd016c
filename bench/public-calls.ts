import { z } from 'zod';
import type { Call } from '../src/lib/contract/calls/call.ts';
import { calls, type CallName } from '../src/lib/contract/calls/calls.ts';
import { author } from './seed.ts';

/** Calls that a visitor may make, derived from the contract, so new calls are included. */
export const PUBLIC_CALLS = (Object.keys(calls) as CallName[]).filter(
  (name) => calls[name].auth === 'optional',
);

/** Field values by field name. They differ between requests in order to miss the cache. */
const VALUES: Record<string, (index: number, articles: readonly string[]) => string> = {
  id: (index, articles) => articles[index % articles.length] ?? '',
  page_id: (index, articles) => articles[index % articles.length] ?? '',
  username: (index) => author(index % 20).username,
  name: (index) => (index % 2 === 0 ? author(index % 20).username : `标签${index % 40}`),
  content: (index) => `标签${index % 40}`,
  keywords: (index) => `缓存 ${index}`,
  q: (index) => `缓${index}`,
  address: (index) => `/posts/${index}.html`,
};

type Schema = z.core.JSONSchema.JSONSchema;

function valueOf(field: string, schema: Schema, index: number, articles: readonly string[]): string {
  if (schema.enum) return String(schema.enum[index % schema.enum.length]);
  // The largest page.
  if (field === 'pageSize') return '999';
  if (schema.type === 'number' || schema.type === 'integer') return String(1 + (index % 50));
  if (schema.type === 'boolean') return String(index % 2 === 0);
  return VALUES[field]?.(index, articles) ?? `值${index}`;
}

/** Returns a call and its request fields for a flood, derived from the bounds in the contract. */
export function floodOf(name: CallName) {
  const call: Call = calls[name];
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.entries(schema.properties ?? {});
  return {
    call,
    fields: (index: number, articles: readonly string[]): Record<string, string> =>
      Object.fromEntries(
        properties.map(([field, each]) => [
          field,
          valueOf(field, typeof each === 'object' ? each : {}, index, articles),
        ]),
      ),
  };
}
