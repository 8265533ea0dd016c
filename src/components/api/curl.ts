import type { Operation } from '../../lib/contract/openapi/document.ts';
import type { JsonSchema } from '../../lib/contract/openapi/schemas.ts';
import type { Place } from './operations.ts';
import { fieldsExample } from './schema-rows.ts';

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
  const [type = ''] = Object.keys(operation.requestBody?.content ?? {});
  const isBytes = /^(?:image|text)\//.test(type);
  const isBare = method === 'POST' ? !fields : method !== 'GET' && !isBytes;
  const parts = [
    `curl '${origin}${path}${search === '' ? '' : `?${search}`}'`,
    ...(isOpen(operation) ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(isFile ? ['-F file=@picture.jpg'] : []),
    ...(isBytes ? [`-H 'Content-Type: ${type.replace('*', 'png')}'`, '-T file'] : []),
    ...(fields && !isFile && !isBytes
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(fieldsExample(fields))}'`]
      : []),
    ...(isBare ? [`-X ${method}`] : []),
  ];
  return parts.join(' \\\n  ');
}
