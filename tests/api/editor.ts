import xmlrpc from 'xmlrpc';
import { done, PASSWORD, type Person, type TestServer, type Untyped } from './server.ts';

const ALL_SCOPES = ['articles:read', 'articles:write', 'pictures:write'];

/** Creates an access token of `person`. */
export async function createToken(
  server: Pick<TestServer, 'json'>,
  person: Person,
  scopes: readonly string[] = ALL_SCOPES,
): Promise<string> {
  const fields = { name: '编辑器', scopes, days: 30, password: PASSWORD };
  return done(await server.json('/api/user/tokens/create', fields, person.token)).token;
}

interface Fault {
  faultCode: number;
  faultString: string;
}

/** A blog editor that calls XML-RPC methods with the `xmlrpc` package. */
export interface Editor {
  call(method: string, ...params: unknown[]): Promise<Untyped>;
  /** Calls a method with `subject`, user name and token before `params`. */
  act(method: string, subject: string, ...params: unknown[]): Promise<Untyped>;
  /** The fault with which `act` is refused. */
  fault(method: string, subject: string, ...params: unknown[]): Promise<Fault>;
}

export function openEditor(
  url: string,
  { username, token }: { username: string; token: string },
  path = '/xmlrpc.php',
): Editor {
  const client = xmlrpc.createClient({ url: url + path });
  const call: Editor['call'] = (method, ...params) =>
    new Promise((resolve, reject) => {
      client.methodCall(method, params, (error: unknown, value: unknown) =>
        error ? reject(Object.assign(new Error('fault'), error)) : resolve(value),
      );
    });
  const act: Editor['act'] = (method, subject, ...params) =>
    call(method, ...(method.endsWith('.deletePost') ? ['key'] : []), subject, username, token, ...params);
  return {
    call,
    act,
    fault: (method, subject, ...params) =>
      act(method, subject, ...params).then(
        (value) => {
          throw new Error(`not refused: ${JSON.stringify(value)}`);
        },
        ({ faultCode, faultString }: Fault) => ({ faultCode, faultString }),
      ),
  };
}
