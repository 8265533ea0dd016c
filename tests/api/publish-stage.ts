import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { done, PASSWORD, type TestServer } from './server.ts';

export const SCRIPT = fileURLToPath(new URL('../../tools/moye-publish.mjs', import.meta.url));

/** Creates an author with an access token for the client. */
export async function authorOf(server: TestServer, name: string) {
  const person = await server.join(`作者${name}`);
  const wanted = { name: '同步', scopes: ['articles:read', 'articles:write', 'pictures:write'], days: 7 };
  const made = await server.post('/api/user/tokens/create', { ...wanted, password: PASSWORD }, person.token);
  const { token } = done(made) as { token: string };
  return { person, token };
}

/**
 * Runs the client.
 * @param options `killAt`: number of lines of its output after which the client is killed
 */
export function run(
  { url }: TestServer,
  folder: string,
  token: string,
  words: string[] = [],
  { killAt, script = [SCRIPT, folder] }: { killAt?: number; script?: string[] } = {},
) {
  const child = spawn(process.execPath, [...script, '--site', url, ...words], {
    env: { PATH: process.env['PATH'], MOYE_TOKEN: token },
  });
  let output = '';
  const killIfDue = () => {
    if (killAt !== undefined && output.split('\n').length > killAt) child.kill('SIGKILL');
  };
  child.once('spawn', killIfDue);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += String(part);
      killIfDue();
    });
  return new Promise<{ code: number | null; output: string; summary: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output, summary: output.trim().split('\n').at(-1) ?? '' })),
  );
}
