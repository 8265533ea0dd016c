import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { apiDocument } from '../../src/lib/contract/openapi/document.ts';

const ID = 'https://blog.example/api/openapi.json';
const document = apiDocument();
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: ID, ...document });
const validators = new Map<string, ValidateFunction | null>();

const toPointer = (keys: readonly string[]) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Returns the validator of an answer, or null if the description has no JSON for it. */
function validatorOf(path: string, method: 'get' | 'post', status: string): ValidateFunction | null {
  const responses = document.paths[path]?.[method]?.responses;
  const answer = responses?.[status] ?? responses?.['default'];
  if (!responses || !answer) return null;
  const named = status in responses ? status : 'default';
  const isShared = '$ref' in answer;
  if (!isShared && !answer.content?.['application/json']) return null;
  const keys = isShared
    ? answer.$ref.slice('#/'.length).split('/')
    : ['paths', path, method, 'responses', named];
  return ajv.compile({ $ref: `${ID}#${toPointer([...keys, 'content', 'application/json', 'schema'])}` });
}

interface Called {
  /** Path and query. */
  url: string;
  method: string | undefined;
  status: number;
  body: unknown;
}

/** Checks that the description of the API has the answer of a call. */
export function requireDescribed({ url, method = 'GET', status, body }: Called): void {
  const verb = method.toLowerCase();
  if (verb !== 'get' && verb !== 'post') return;
  const path = URL.parse(url, ID)?.pathname ?? '';
  const key = `${verb} ${path} ${status}`;
  const known = validators.get(key);
  const validate = known === undefined ? validatorOf(path, verb, String(status)) : known;
  validators.set(key, validate);
  if (validate && !validate(body))
    throw new Error(`${key} is not described: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
}
