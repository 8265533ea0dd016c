import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, PASSWORD, type TestServer } from './server.ts';

const inFixture = (name: string) => fileURLToPath(new URL(`../fixtures/openapi/${name}`, import.meta.url));
const CLIENT = inFixture('client.ts');
const PATHS = inFixture('paths.d.ts');

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

/** Returns the type errors of the client with generated types. */
function errorsWith(types: string, client: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const made = new Map([
    [PATHS, types],
    [CLIENT, client],
  ]);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => made.has(path) || fileExists(path);
  host.readFile = (path) => made.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = made.get(path);
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([CLIENT], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('a client makes a token, writes an article with it and reads it back', async () => {
  const { username } = await server.join('程序');
  const { writeAndRead } = (await import(CLIENT)) as {
    writeAndRead(baseUrl: string, account: object): Promise<unknown>;
  };
  expect(await writeAndRead(server.url, { username, password: PASSWORD })).toEqual({
    article: { title: '山居秋暝', content: '空山新雨后', tags: ['诗'], status: 'draft' },
    refusals: ['ARTICLE_NOT_FOUND', 'SCOPE_MISSING'],
  });
});

// Last: the compiler keeps the server in this process busy for longer than it keeps connections open.
test('its types, generated from the description, find mistakes', async () => {
  const description = (await server.get('/api/openapi.json')).text;
  // Callers may omit fields that have a default.
  const types = astToString(await openapiTS(description, { defaultNonNullable: false }));
  const client = readFileSync(CLIENT, 'utf8');
  expect(errorsWith(types, client)).toEqual([]);
  const misspelt = client.replace("status: 'draft' }", "status: 'drafft' }");
  expect(errorsWith(types, misspelt)).toEqual([expect.stringContaining('drafft')]);
});
