import type { z } from 'zod';
import { FIELD_NAMES } from './field-names.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

function childrenOf({
  properties,
  items,
  additionalProperties,
  anyOf,
  oneOf,
  allOf,
  prefixItems,
}: JsonSchema) {
  const others = [
    items,
    additionalProperties,
    ...[anyOf, oneOf, allOf, prefixItems].flatMap((all) => all ?? []),
  ];
  return [...Object.values(properties ?? {}), ...others.flat()].filter(
    (child): child is JsonSchema => typeof child === 'object',
  );
}

/** Adds the missing titles to the fields of a component's schema, and returns it. */
export function nameFields(component: string, schema: JsonSchema): JsonSchema {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    // A constant, such as `code` of an envelope, needs no name.
    if (typeof field !== 'object' || field.const !== undefined) continue;
    const title = FIELD_NAMES[`${component}.${name}`] ?? field.title ?? FIELD_NAMES[name];
    if (title !== undefined) field.title = title;
  }
  for (const child of childrenOf(schema)) nameFields(component, child);
  return schema;
}
