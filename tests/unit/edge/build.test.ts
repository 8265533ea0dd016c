import { describe, expect, test } from 'vitest';
import { buildEdge, refuseHeavy } from '../../../tools/build-edge.mjs';
import { edgeBackend } from '../../../tools/edge.mjs';
import { ToolError } from '../../../tools/project.mjs';

const API_ORIGIN = 'https://api.example.com';
const cloudflare = ['--adapter', 'cloudflare'];

describe('npm run build -- --adapter', () => {
  test.each<[string, string[], Record<string, string>, RegExp]>([
    [
      'an unknown adapter',
      ['--adapter', 'deno'],
      { API_ORIGIN },
      /^usage: .*cloudflare\|netlify\|vercel\|node/,
    ],
    ['no adapter', ['--adapter'], { API_ORIGIN }, /^usage: /],
    ['two adapters', [...cloudflare, 'node'], { API_ORIGIN }, /^usage: /],
    ['another option', ['--watch'], { API_ORIGIN }, /^usage: /],
    ['no API', cloudflare, {}, /^API_ORIGIN is not set/],
    ['an empty API', cloudflare, { API_ORIGIN: '' }, /^API_ORIGIN is not set/],
    ['an API that is a name', cloudflare, { API_ORIGIN: 'api.example.com' }, /^API_ORIGIN must be an origin/],
    ['an API with a path', cloudflare, { API_ORIGIN: `${API_ORIGIN}/v1` }, /^API_ORIGIN must be an origin/],
    ['an API of another kind', cloudflare, { API_ORIGIN: 'ftp://api.example.com' }, /^API_ORIGIN must be/],
    [
      'a socket with a path',
      cloudflare,
      { API_ORIGIN, LIVE_ORIGIN: 'https://a.cn/x' },
      /^LIVE_ORIGIN must be/,
    ],
    ['a site that is none', cloudflare, { API_ORIGIN, SITE_URL: 'blog' }, /^SITE_URL must be an origin/],
  ])('%s is refused in one line', async (_, args, env, message) => {
    const failed: unknown = await buildEdge(args, env).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(ToolError);
    expect((failed as ToolError).message).toMatch(message);
    expect((failed as ToolError).message).not.toContain('\n');
  });

  test('a worker far below the limit of its platform is refused, other fronts are not', () => {
    const bytes = 2.5 * 1024 * 1024;
    expect(() => refuseHeavy('cloudflare', bytes)).toThrow(
      'the worker is 2.50 MiB in gzip, more than 2.25 MiB',
    );
    refuseHeavy('cloudflare', bytes / 2);
    for (const adapter of ['netlify', 'vercel', 'node'] as const) refuseHeavy(adapter, 2 * bytes);
  });

  test.each([
    ['@shikijs/langs/dist/cpp.mjs', 'vercel', 'export default [];'],
    ['@shikijs/langs/dist/c.mjs', 'vercel', undefined],
    ['react-dom/client.js', 'node', 'module.exports = {};'],
    ['shiki/dist/wasm.mjs', 'cloudflare', 'export {};'],
    ['shiki/dist/wasm.mjs', 'node', undefined],
  ] as const)('%s is replaced for %s by %s', (module, adapter, code) => {
    const { load } = edgeBackend(adapter, { API_ORIGIN });
    const loadFor = (name: string) =>
      (load as (this: object, id: string) => unknown).call(
        { environment: { name } },
        `/p/node_modules/${module}`,
      );
    expect([loadFor('ssr'), loadFor('client')]).toEqual([code, undefined]);
  });

  test('includes settings, and no secret', () => {
    const { load } = edgeBackend('vercel', { API_ORIGIN, SITE_TITLE: '纸上', PURGE_SECRET: 'do not tell' });
    const code = (load as (id: string) => string)('\0virtual:edge');
    expect(code).toContain(API_ORIGIN);
    expect(code).toContain('纸上');
    expect(code).not.toContain('do not tell');
  });

  test('the server build includes no edge code', () => {
    const { load } = edgeBackend(undefined, { API_ORIGIN });
    expect((load as (id: string) => string)('\0virtual:edge')).toBe('export const edgeBackend = undefined;');
  });
});
