import { z } from 'zod';
import type { Call } from '../../contract/call.ts';

const SLACK_BYTES = 64 * 1024;
/** A field of up to twice its limit is still refused with an error that names the field. */
const ROOM = 2;
/** A code point outside the basic plane, escaped in a form or in JSON. */
const BYTES_PER_CHARACTER = 12;
const SCALAR_BYTES = 64;

/**
 * Returns the maximum body size of a call in bytes, derived from the limits of its fields and capped by the
 * call's declared limit. Any field without a limit raises it to that cap.
 */
export function maxBodyBytes({ body, input }: Call): number {
  if (body.kind === 'file') return body.most;
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Math.min(body.most, SLACK_BYTES + ROOM * bytesOf(schema));
}

type Schema = z.core.JSONSchema._JSONSchema;

function bytesOf(schema: Schema): number {
  if (typeof schema === 'boolean') return Infinity;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return Math.max(...alternatives.map(bytesOf));
  if (schema.enum ?? schema.const) return SCALAR_BYTES;
  switch (schema.type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'integer':
      return SCALAR_BYTES;
    case 'string':
      if (schema.format === 'date-time') return SCALAR_BYTES;
      return BYTES_PER_CHARACTER * (schema.maxLength ?? Infinity);
    case 'array':
      return schema.maxItems && typeof schema.items === 'object' && !Array.isArray(schema.items)
        ? schema.maxItems * (SCALAR_BYTES + bytesOf(schema.items))
        : Infinity;
    case 'object':
      if (!schema.properties) return Infinity;
      return Object.values(schema.properties).reduce((sum: number, field) => sum + bytesOf(field), 0);
    default:
      return Infinity;
  }
}
