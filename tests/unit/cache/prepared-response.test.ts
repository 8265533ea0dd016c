import { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createPageCache } from '../../../src/lib/server/cache/page-cache.ts';
import { servePages } from '../../../src/lib/server/cache/serve-pages.ts';
import { choosePreparedSender, type SendPrepared } from '../../../src/lib/server/cache/prepared-response.ts';
import { get, LARGE, open, serve } from '../server/serving.ts';

/**
 * A server of one page, `text`, that records whether each response was sent in one piece or composed by
 * node:http.
 */
async function servePage(sendPrepared: SendPrepared, text = '墨'.repeat(20_000)) {
  const sent: boolean[] = [];
  const logged: (string | undefined)[] = [];
  const pages = servePages({
    cache: createPageCache({ maxBytes: 100 * text.length }),
    render: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html', 'x-a': 'b' },
      bytes: Buffer.from(text),
      tags: ['site'],
    }),
    renders: { run: (work) => work(), refresh: (work) => work() },
    plain: (_request, _response, next) => next(),
    trustedHops: 0,
    sendPrepared: (...answer) => {
      const result = sendPrepared(...answer);
      sent.push(result !== null);
      return result;
    },
  });
  const { port } = await serve((request, response) => {
    response.once('close', () => logged.push((response as { requestId?: string }).requestId));
    pages(request, response, () => response.writeHead(404).end());
  });
  return { port, sent, logged };
}

/**
 * Returns what a client receives that sends two requests and then a closing one, without the values that
 * differ between responses.
 */
async function ask(port: number, headers = ''): Promise<{ text: string; ids: string[] }> {
  const { client, closed, received } = open(
    port,
    get('/home', headers).repeat(2) + get('/home', `${headers}Connection: close\r\n`),
  );
  client.resume();
  await closed;
  const ids = [...received().matchAll(/^X-Request-Id: (.+)\r$/gm)].map(([, id = '']) => id);
  return { text: received().replace(/^(X-Request-Id|Date): .+\r$/gm, '$1'), ids };
}

/** Simulates a Node version that stores the response head under another name. */
class OtherResponse extends ServerResponse {
  get _header(): string {
    return '';
  }
  set _header(_text: string) {
    throw new TypeError('no such field');
  }
}

test.each(['', 'Accept-Encoding: br\r\n', 'Accept-Encoding: gzip\r\n', 'If-None-Match: "x"\r\n'])(
  'a page has the same bytes with or without the Node internals used: %j',
  async (headers) => {
    const whole = await servePage(choosePreparedSender());
    const composed = await servePage(choosePreparedSender(OtherResponse as typeof ServerResponse));
    const [fast, slow] = [await ask(whole.port, headers), await ask(composed.port, headers)];
    expect(fast.text).toBe(slow.text);
    expect(fast.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect([whole.sent, composed.sent]).toEqual([
      [true, true, false],
      [false, false, false],
    ]);
  },
);

test('a response in one piece has a request id, which is logged', async () => {
  const { port, sent, logged } = await servePage(choosePreparedSender());
  const { ids } = await ask(port);
  expect(sent).toEqual([true, true, false]);
  expect(new Set(ids).size).toBe(3);
  expect(logged).toEqual(ids);
});

test('a response that a connection has not sent yet keeps its request id', async () => {
  const held: Buffer[] = [];
  const { port, logged } = await servePage((_request, _response, prepare) => {
    held.push(prepare());
    return 'part';
  });
  for (let count = 1; count <= 2; count++) {
    const { client } = open(port, get('/home'));
    await expect.poll(() => held.length).toBe(count);
    client.destroy();
    await expect.poll(() => logged.length).toBe(count);
  }
  const idIn = (bytes: Buffer) => /^X-Request-Id: (.+)\r$/m.exec(bytes.toString('latin1'))?.[1];
  expect(held.map(idIn)).toEqual(logged);
});

test('knows whether the system has taken the whole response', async () => {
  const results: ReturnType<SendPrepared>[] = [];
  const send = choosePreparedSender();
  const { port } = await servePage((...answer) => {
    results.push(send(...answer));
    return results.at(-1) ?? null;
  }, LARGE.toString('latin1'));
  const { client, received } = open(port, get('/home'));
  await expect.poll(() => results).toEqual(['part']);
  client.resume();
  await expect.poll(() => received().length).toBeGreaterThan(LARGE.length);
  expect(received().slice(-LARGE.length)).toBe(LARGE.toString('latin1'));
  const small = await servePage((...answer) => {
    results.push(send(...answer));
    return results.at(-1) ?? null;
  });
  await ask(small.port);
  expect(results).toEqual(['part', 'all', 'all', null]);
});
