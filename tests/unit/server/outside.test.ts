import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createOutside,
  isPublicAddress,
  type OutsideRules,
  type Wanted,
} from '../../../src/lib/server/outside/outside.ts';

const anything: Wanted = { most: 1024 * 1024, accepts: () => true };
const REFUSED = { code: 'URL_REFUSED' };
const PUBLIC = '93.184.215.14';

/** HTTP client with the product's rules, and a resolver that knows only these names. */
function outsideOf(names: Record<string, string[]>) {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> => {
    asked.push(host);
    return names[host] ?? [];
  };
  return { asked, fetch: (url: string) => createOutside({ resolve }).fetch(url, anything) };
}

describe('non-public addresses are refused before connecting', () => {
  test.for([
    // Other protocols.
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'gopher://example.com:80/_a',
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:alert(1)',
    'ws://example.com/a.png',
    'blob:https://example.com/a',
    '//example.com/a.png',
    '/api/file/a.png',
    'example.com/a.png',
    '',
    'http://',
    'http:///',
    'http://[::1',
    'http://exa mple.com/',
    `http://example.com/${'a'.repeat(2100)}`,
    // Credentials, and hosts disguised by them.
    'http://user@example.com/a.png',
    'http://user:secret@example.com/a.png',
    'http://example.com@127.0.0.1/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1\\@example.com/',
    'http://:secret@example.com/',
    // Ports.
    'http://93.184.215.14:22/',
    'http://93.184.215.14:8080/',
    'https://93.184.215.14:6379/',
    'http://93.184.215.14:0/',
    'http://93.184.215.14:65535/',
    'http://93.184.215.14:99999/',
    'http://public.test:5432/',
    // This machine, in every notation.
    'http://127.0.0.1/',
    'http://127.0.0.1:443/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://127．0．0．1/',
    'http://１２７.0.0.1/',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://0x0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    // IPv4 in IPv6.
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2002:a00:1::]/',
    'http://[2001:0:7f00:1::]/',
    // Private networks.
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.254/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://100.100.100.200/latest/meta-data/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://[fec0::1]/',
    // Link-local addresses, including the metadata services of clouds.
    'http://169.254.169.254/latest/meta-data/iam/',
    'http://169.254.170.2/v2/credentials',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://0251.0376.0251.0376/',
    'http://[fe80::1]/',
    'http://168.63.129.16/machine',
    'http://192.0.0.192/opc/v2/',
    // Multicast, broadcast, reserved and documentation ranges.
    'http://224.0.0.1/',
    'http://239.255.255.250/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://192.0.2.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://198.18.0.1/',
    'http://192.88.99.1/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[100::1]/',
    'http://[5f00::1]/',
    // Names that resolve to such addresses.
    'http://localhost/',
    'http://LOCALHOST./',
    'http://intranet.test/',
    'http://both.test/',
    'http://mapped.test/',
    'http://metadata.google.internal/computeMetadata/v1/',
  ])('%s', async (url) => {
    const { fetch } = outsideOf({
      'public.test': [PUBLIC],
      localhost: ['127.0.0.1', '::1'],
      'localhost.': ['127.0.0.1'],
      'intranet.test': ['10.1.2.3'],
      'both.test': [PUBLIC, '127.0.0.1'],
      'mapped.test': ['::ffff:10.0.0.1'],
      'metadata.google.internal': ['169.254.169.254'],
      'example.com': [PUBLIC],
    });
    await expect(fetch(url)).rejects.toMatchObject(REFUSED);
  });

  test('a name without an address is reported as such', async () => {
    await expect(outsideOf({}).fetch('https://nowhere.test/')).rejects.toMatchObject({
      code: 'URL_UNREACHABLE',
      message: '找不到这个网站，请检查地址',
    });
  });

  test('public internet addresses are accepted', () => {
    const addresses = [PUBLIC, '1.1.1.1', '223.5.5.5', '172.15.0.1', '172.32.0.1', '100.63.255.255'];
    const [chinese, american] = ['240e::1', '2606:4700:4700::1111'];
    expect([...addresses, chinese, american].filter((address) => !isPublicAddress(address))).toEqual([]);
    expect(isPublicAddress('no address')).toBe(false);
    expect(isPublicAddress('fe80::1%eth0')).toBe(false);
  });
});

describe('during the request', () => {
  let server: Server;
  let port: number;
  let answer: RequestListener = (_request, response) => void response.end('ok');
  const asked: { url: string; host: string; referer: string }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { host = '', referer = '' } = request.headers;
      asked.push({ url: request.url ?? '', host, referer });
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());
  afterEach(() => void asked.splice(0));

  /** Resolves `pictures.test` to this machine, which the rules allow on this port only. */
  const local = (rules: Partial<OutsideRules> = {}) =>
    createOutside({
      resolve: async (host) => (host === 'pictures.test' ? ['127.0.0.1'] : ['10.0.0.1']),
      mayConnect: (address, to) => address === '127.0.0.1' && to === port,
      ...rules,
    });
  const url = (path = '/') => `http://pictures.test:${port}${path}`;
  const redirect = (location: string): RequestListener => {
    return (_request, response) => void response.writeHead(302, { Location: location }).end();
  };

  test('the connection goes to the checked address, under the requested name', async () => {
    answer = (_request, response) => void response.end('picture');
    const headersFor = () => ({ Referer: 'https://juejin.cn/' });
    const bytes = await local().fetch(url('/a.png'), { ...anything, headersFor });
    expect(bytes.toString()).toBe('picture');
    expect(asked).toEqual([{ url: '/a.png', host: `pictures.test:${port}`, referer: 'https://juejin.cn/' }]);
  });

  test('a name is resolved once, for check and connection', async () => {
    answer = (_request, response) => void response.end('ok');
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254']];
    let lookups = 0;
    const resolve = async () => answers[lookups++] ?? [];
    await local({ resolve }).fetch(url(), anything);
    expect([lookups, asked.length]).toEqual([1, 1]);
    // The other way round: a host that was refused first is not accepted later.
    const turned = ['10.0.0.1', '127.0.0.1'];
    const flipping = local({ resolve: async () => [turned.shift() ?? ''] });
    await expect(flipping.fetch(url(), anything)).rejects.toMatchObject(REFUSED);
    expect(asked).toHaveLength(1);
  });

  test.for([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://2130706433/',
    'http://intranet.test/',
    'file:///etc/passwd',
    '//user:secret@pictures.test/',
    'http://127.0.0.1:1/',
  ])('a redirect to %s is refused', async (location) => {
    answer = redirect(location);
    await expect(local().fetch(url(), anything)).rejects.toMatchObject(REFUSED);
    expect(asked).toHaveLength(1);
  });

  test('an allowed private host receives posts, and nothing else reaches it', async () => {
    answer = (_request, response) => void response.end('received');
    const privateHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    const allowing = local({ privateHosts, mayConnect: () => false });
    const sent = { body: '{}', headers: {} };
    for (const host of privateHosts)
      expect(await allowing.post(`http://${host}/hook`, sent)).toEqual({ status: 200, text: 'received' });
    await expect(allowing.fetch(`http://127.0.0.1:${port}/`, anything)).rejects.toMatchObject(REFUSED);
    expect(asked).toHaveLength(2);
    // A receiver on the internet cannot redirect there.
    const redirected = local({ privateHosts });
    answer = (_request, response) =>
      void response.writeHead(307, { Location: `http://localhost:${port}/hook` }).end();
    await expect(redirected.post(url('/in'), sent)).rejects.toMatchObject(REFUSED);
    expect(asked).toHaveLength(3);
  });

  test('a name is checked again on each redirect', async () => {
    answer = redirect('/next');
    const answers = [['127.0.0.1'], ['192.168.0.1']];
    const resolve = async () => answers.shift() ?? [];
    await expect(local({ resolve }).fetch(url(), anything)).rejects.toMatchObject(REFUSED);
    expect(asked).toHaveLength(1);
  });

  test('three redirects are followed, relative ones too, but not a fourth', async () => {
    let left = 3;
    answer = (request, response) =>
      left-- > 0 ? redirect(`step${left}`)(request, response) : void response.end('there');
    expect((await local().fetch(url('/a/'), anything)).toString()).toBe('there');
    expect(asked.at(-1)?.url).toBe('/a/step0');
    left = Infinity;
    await expect(local().fetch(url(), anything)).rejects.toMatchObject({ code: 'URL_UNREACHABLE' });
  });

  test.for<[name: string, text: RegExp, answer: RequestListener]>([
    ['that is not there', /已经没有/, (_, response) => void response.writeHead(404).end()],
    ['that is kept from others', /不允许/, (_, response) => void response.writeHead(403).end()],
    ['that is no answer', /状态 500/, (_, response) => void response.writeHead(500).end()],
    [
      'of another type',
      /不是图片/,
      (_, response) => void response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<p>'),
    ],
    [
      'that says it is too large',
      /不能超过 1 MB/,
      (_, response) => void response.writeHead(200, { 'Content-Length': 2_000_000 }).write('a'),
    ],
    [
      'that is too large and does not say so',
      /不能超过 1 MB/,
      (_, response) => void response.write(Buffer.alloc(1_200_000)),
    ],
    ['that breaks off', /连不上/, (_, response) => void response.destroy()],
  ])('a picture %s is refused', async ([, message, listener]) => {
    answer = listener;
    const wanted = { most: 1024 * 1024, accepts: (type: string) => type !== 'text/html' };
    const refusal = { code: 'URL_UNREACHABLE', message: expect.stringMatching(message) as string };
    await expect(local().fetch(url(), wanted)).rejects.toMatchObject(refusal);
  });

  test.for<[name: string, rules: Partial<OutsideRules>, answer: RequestListener]>([
    ['never answers', {}, () => undefined],
    ['begins and never ends', {}, (_, response) => void response.write('a')],
    ['has a name server that is silent', { resolve: () => new Promise(() => undefined) }, () => undefined],
  ])('a site that %s is given up', async ([, rules, listener]) => {
    answer = listener;
    const refusal = { code: 'URL_UNREACHABLE', message: '对方网站太久没有回应' };
    await expect(local({ longestMs: 200, ...rules }).fetch(url(), anything)).rejects.toMatchObject(refusal);
    server.closeAllConnections();
  });
});
