import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE } from '../engine.ts';
import { openCacheStage, type CacheStage } from './cache-stage.ts';
import { openServer } from './server.ts';
import { sendExactly } from './wire.ts';

let stage: CacheStage;
beforeAll(async () => {
  stage = await openCacheStage();
});
afterAll(() => stage.server.close());

const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'fastly-client-ip',
  'cdn-loop',
];

describe('GET /metrics', () => {
  test('counts page cache hits, misses and renders', async () => {
    const read = async () => (await stage.ask('/metrics')).body.toString();
    const value = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    await stage.ask('/home');
    const before = await read();
    await stage.ask('/home');
    const after = await read();
    expect(value(after, 'moye_page_cache_hits_total') - value(before, 'moye_page_cache_hits_total')).toBe(1);
    for (const name of ['misses_total', 'renders_total', 'invalidations_total', 'bytes', 'entries'])
      expect(value(after, `moye_page_cache_${name}`)).toBeGreaterThan(0);
    expect(value(after, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  test('counts requests by kind and status, with their latency', async () => {
    const read = async () => (await stage.ask('/metrics')).body.toString();
    const value = (text: string, name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1] ?? 0,
      );
    await read();
    await stage.ask('/changelog');
    await stage.ask('/nowhere.png');
    await stage.server.post('/api/tag/alltags', {});
    await stage.server.post('/api/page/new', {});
    const counted = async () => {
      const text = await read();
      return [
        value(text, 'moye_requests_total{kind="page",status="200"}') > 0,
        value(text, 'moye_requests_total{kind="call",status="200"}') > 0,
        value(text, 'moye_request_seconds_count{kind="page"}') > 0,
        value(text, 'moye_request_seconds_bucket{le="+Inf",kind="call"}') > 0,
        value(text, 'moye_requests_total{kind="probe",status="200"}') > 0,
        /^moye_requests_total\{kind="file",status="\d+"\} 1$/m.test(text),
      ];
    };
    await expect.poll(counted).toEqual([true, true, true, true, true, true]);
  });

  test('tells the room on the disk, and what waits or has failed', async () => {
    const text = (await stage.ask('/metrics')).body.toString();
    // On PostgreSQL the server makes no folder before the first upload.
    const disk = ENGINE === 'sqlite' ? ['free', 'size'] : [];
    for (const name of disk)
      expect(text).toMatch(new RegExp(`^moye_disk_${name}_bytes\\{folder="[^"]+"\\} [\\d.e+]+$`, 'm'));
    for (const name of ['waiting', 'failed'])
      for (const to of ['mail', 'webhook'])
        expect(text).toMatch(new RegExp(`^moye_deliveries_${name}\\{to="${to}"\\} 0$`, 'm'));
    expect(text).toMatch(/^moye_held_items 0$/m);
    expect(text).toMatch(/^moye_reports_open 0$/m);
  });

  test('is not served through a proxy', async () => {
    for (const name of PROXY_HEADERS)
      expect([name, (await stage.ask('/metrics', { [name]: '127.0.0.1' })).status]).toEqual([name, 302]);
  });

  test('is not served to other hosts, nor through a proxy without headers', async () => {
    const ask = (request: string) => sendExactly(stage.server.url, request);
    for (const host of ['blog.example', 'localhost.example', '127.0.0.1.example', 'upstream', ''])
      expect((await ask(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).status).toBe(
        302,
      );
    // The request that nginx sends with a bare proxy_pass.
    const bare = 'GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:4321\r\nConnection: close\r\n\r\n';
    expect((await ask(bare)).status).toBe(302);
    const local = 'GET /metrics HTTP/1.1\r\nHost: localhost:4321\r\nConnection: close\r\n\r\n';
    expect((await ask(local)).status).toBe(200);
  });

  test('is served to any host with the token, and needs it on a public site', async () => {
    const token = 'a token of a monitor'.replaceAll(' ', '-');
    const server = await openServer({ SITE_URL: 'https://blog.example', METRICS_TOKEN: token });
    try {
      const statuses = async (headers: Record<string, string>) => {
        const metrics = await server.send('/metrics', { headers });
        const { text } = await server.send('/healthz?verbose', { headers });
        return [metrics.status, text.startsWith('{')];
      };
      expect(await statuses({})).toEqual([302, false]);
      expect(await statuses({ Authorization: 'Bearer another-token-of-a-monitor' })).toEqual([302, false]);
      const right = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.7' };
      expect(await statuses(right)).toEqual([200, true]);
    } finally {
      await server.close();
    }
  });

  test('can be switched off', async () => {
    const quiet = await openServer({ METRICS: 'off', PAGE_CACHE_MB: '0' });
    try {
      expect((await quiet.send('/metrics')).status).toBe(302);
      const page = await quiet.send('/changelog');
      expect([page.status, page.headers.get('cache-tag'), page.headers.get('etag')]).toEqual([
        200,
        null,
        null,
      ]);
    } finally {
      await quiet.close();
    }
  });
});
