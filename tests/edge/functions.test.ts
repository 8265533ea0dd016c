import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { misplacedIn } from '../../tools/edge.mjs';
import { inRoot } from '../../tools/project.mjs';
import { article, idOf, openFakeApi, type FakeApi } from '../unit/edge/fake-api.ts';

const run = promisify(execFile);
let api: FakeApi;
beforeAll(async () => {
  api = await openFakeApi();
  api.articles = [article(1), article(2)];
});
afterAll(() => api?.[Symbol.asyncDispose]());

interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Calls a built function in a separate process, as its platform does. */
async function ask(entry: string, call: string, path: string, method = 'GET'): Promise<Answered> {
  const script = `
    const { default: built } = await import(${JSON.stringify(pathToFileURL(entry).href)});
    const request = new Request('https://blog.example' + ${JSON.stringify(path)}, {
      method: ${JSON.stringify(method)},
      headers: { 'x-forwarded-for': '198.51.100.9' },
    });
    const response = await ${call};
    const { status, headers } = response;
    console.log(JSON.stringify({ status, headers: Object.fromEntries(headers), text: await response.text() }));
    process.exit();`;
  const env = { PATH: process.env['PATH'], API_ORIGIN: api.origin, SITE_URL: 'https://blog.example' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env });
  return JSON.parse(stdout) as Answered;
}

const vercel = inRoot('.vercel', 'output', 'functions', '_render.func');
const handler = () =>
  (JSON.parse(readFileSync(`${vercel}/.vc-config.json`, 'utf8')) as { handler: string }).handler;
const netlify = inRoot('.netlify', 'v1', 'functions', 'ssr');

describe.each([
  {
    platform: 'vercel' as const,
    entry: () => `${vercel}/${handler()}`,
    folder: vercel,
    call: 'built.fetch(request)',
    tag: 'vercel-cache-tag',
    control: 'vercel-cdn-cache-control',
  },
  {
    platform: 'netlify' as const,
    entry: () => `${netlify}/ssr.mjs`,
    folder: netlify,
    call: "built(request, { ip: '198.51.100.9' })",
    tag: 'netlify-cache-tag',
    control: 'netlify-cdn-cache-control',
  },
])('the function for $platform', ({ platform, entry, folder, call, tag, control }) => {
  test('serves a page, with tags for the platform’s cache', async () => {
    const { status, headers, text } = await ask(entry(), call, '/home');
    expect(status).toBe(200);
    expect(text).toContain('第 2 篇');
    expect(text).toContain('<link rel="canonical" href="https://blog.example/home">');
    expect(headers[tag]?.split(',')).toEqual(expect.arrayContaining(['site', 'lists', `card:${idOf(1)}`]));
    expect(headers[control]).toMatch(/max-age=60, stale-while-revalidate=600, stale-if-error=3600$/);
    expect(headers).not.toHaveProperty('cdn-cache-control');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });

  test('forwards calls, with the reader’s address', async () => {
    const { status, headers, text } = await ask(entry(), call, '/api/tag/alltags', 'POST');
    expect([status, JSON.parse(text)]).toEqual([200, { code: 'OK', data: ['随笔'] }]);
    expect(headers[control]).toBeUndefined();
    expect(api.received.at(-1)?.headers['x-forwarded-for']).toBe('198.51.100.9');
  });

  test('includes no server code', () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`);
    expect(names.length).toBeGreaterThan(100);
    expect(misplacedIn(names, platform)).toEqual([]);
  });
});
