import type { Operation } from '../../lib/contract/openapi/document.ts';
import type { JsonSchema } from '../../lib/contract/openapi/schemas.ts';
import { fieldsExample } from './schema-rows.ts';

export interface Place {
  method: 'GET' | 'POST';
  path: string;
}

const isOpen = ({ security }: Operation) => security.some((way) => Object.keys(way).length === 0);

/**
 * Returns a command that makes the call.
 * @param fields schema of the body; undefined without one
 */
export function curlOf(
  origin: string,
  { method, path }: Place,
  operation: Operation,
  fields: JsonSchema | undefined,
): string {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const search = query
    .map(({ name, description = name }) => `${name}=${encodeURIComponent(description)}`)
    .join('&');
  const isFile = operation.requestBody?.content['multipart/form-data'] !== undefined;
  const parts = [
    `curl '${origin}${path}${search === '' ? '' : `?${search}`}'`,
    ...(isOpen(operation) ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(isFile ? ['-F file=@picture.jpg'] : []),
    ...(fields && !isFile
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(fieldsExample(fields))}'`]
      : []),
    ...(method === 'POST' && !fields ? ['-X POST'] : []),
  ];
  return parts.join(' \\\n  ');
}
