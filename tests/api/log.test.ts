import { expect, test } from 'vitest';
import { createStorage } from '../engine.ts';
import { clientOf, done, PASSWORD, type Answer } from './server.ts';
import { makeSite, spawnServer, temporaryFolder } from './spawn.ts';
import { openWire } from './wire.ts';

test('the log holds no token and no password', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  await makeSite(storage);
  const server = spawnServer({ ...storage.settings, LOG_LEVEL: 'debug' });
  const client = clientOf(await server.url);
  const person = await client.join('写手');
  await client.post('/api/signin', { username: '写手', password: PASSWORD });
  await client.post('/api/signin', { username: '写手', password: 'wrong password' });
  await client.json('/api/signin', { username: '写手', password: PASSWORD });
  const { token, refresh_token } = done(await client.get('/api/signin/refreshToken', person.refresh_token));
  const encoded = encodeURIComponent(PASSWORD);
  const { url: download } = done(await client.post('/api/user/export', {}, token));
  const ticket = String(download).split('/').at(-1) as string;
  await client.send(download);
  for (const path of [
    `/home?token=${token}`,
    `/home?page=${token}`,
    `/home/${token}`,
    `/socket.io/?EIO=4&transport=websocket&token=${token}`,
    `/api/file/avatar/user?username=${token}&password=${encoded}`,
    `/api/${refresh_token}?refresh_token=${refresh_token}`,
    `/signin?password=${encoded}&x=%65yJ`,
    `/api/nothing?%74oken=${token.replace('eyJ', '%65yJ')}`,
    `/api/nothing?pass%77ord=${encoded}`,
  ]) {
    await client.send(path, {
      headers: {
        Authorization: `Beare ${token}`,
        Cookie: `token=${token}`,
        Referer: `http://a/?token=${token}`,
      },
    });
  }
  await client.raw('/api/signin', `username=a&password=${encoded}%`);
  await client.json('/api/signup', { username: { deep: 1 }, password: PASSWORD });
  server.child.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  const requests = stdout.split('\n').filter((line) => line.includes('"method"'));
  // The socket's handshake is not logged as a request.
  expect(requests.length).toBeGreaterThanOrEqual(15);
  for (const line of requests)
    expect(JSON.parse(line)).toMatchObject({
      url: expect.any(String),
      status: expect.any(Number),
      ms: expect.any(Number),
    });
  const log = stdout + stderr;
  for (const secret of [
    'eyJ',
    token.slice(3, 30),
    token.split('.')[1] as string,
    PASSWORD,
    encoded,
    'wrong password',
    ticket,
  ]) {
    expect(log).not.toContain(secret);
  }
});

test('aborted uploads are not logged as errors', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  await makeSite(storage);
  const server = spawnServer(storage.settings);
  const url = await server.url;
  const client = clientOf(url);
  const { token } = await client.join('写手');
  const framings = ['Content-Length: 500\r\n\r\ntitle=a', 'Transfer-Encoding: chunked\r\n\r\n5\r\ntitle\r\n'];
  for (const path of ['/api/page/new', '/api/page/pagelist', '/api/file/uploadImage', '/api/nothing']) {
    for (const framing of framings) {
      const wire = await openWire(url);
      wire.socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Beare ${token}\r\n${framing}`);
      // The response to this call proves that the server has started to process the upload.
      await client.post('/api/tag/alltags');
      wire.socket.destroy();
      await wire.closed;
    }
  }
  await client.post('/api/tag/alltags');
  server.child.kill('SIGTERM');
  const { code, stdout, stderr } = await server.ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n').filter((line) => /"level":[56]0|user aborted/i.test(line))).toEqual([]);
});

test('a malformed URL is one log line, with the request id of its response', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  await makeSite(storage);
  const server = spawnServer(storage.settings);
  const client = clientOf(await server.url);
  const paths = ['/home/%', '/home/%ff', '/x/%E7', '/api/%ff', '/home/a%250ab'];
  const answers: Answer[] = [];
  for (const path of paths) answers.push(await client.send(path));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 302]);
  server.child.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  expect(stderr).toBe('');
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = requests.filter((line) => 'url' in line || Number(line['level']) >= 40);
  expect(told.map(({ url, status, requestId }) => [url, status, requestId])).toEqual(
    paths.map((path, at) => [path, answers[at]?.status, answers[at]?.headers.get('x-request-id')]),
  );
});

test('a stopped server has logged every response, cached or not, with its request id', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  await makeSite(storage);
  const server = spawnServer(storage.settings);
  const client = clientOf(await server.url);
  await client.send('/changelog');
  const paths = Array.from({ length: 400 }, (_, at) =>
    at % 4 === 3 ? `/healthz?${at}` : `/changelog?${at}`,
  );
  const answers = await Promise.all(paths.map((path) => client.send(path)));
  server.child.kill('SIGTERM');
  const { code, stdout } = await server.ended;
  expect(code).toBe(0);
  const lines = stdout.split('\n').filter((line) => line.includes('"method"'));
  const logged = lines.map((line) => JSON.parse(line) as { url: string; status: number; requestId?: string });
  const asked = paths.map((url, at) => [url, answers[at]?.status, answers[at]?.headers.get('x-request-id')]);
  expect(
    new Set(logged.slice(1).map(({ url, status, requestId }) => [url, status, requestId].join())),
  ).toEqual(new Set(asked.map((line) => line.join())));
  expect(logged).toHaveLength(401);
});

test('lines have the client and the account only if the operator wants them', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  await makeSite(storage);
  for (const LOG_CLIENTS of ['off', 'on']) {
    const server = spawnServer({ ...storage.settings, LOG_CLIENTS, TRUST_PROXY: '1' });
    const client = clientOf(await server.url);
    const { token } = await client.join(`写手${LOG_CLIENTS}`);
    const headers = { 'X-Forwarded-For': '198.51.100.7, 203.0.113.9' };
    await client.send('/changelog', { headers });
    await client.send('/api/signin/getUserInfo', {
      method: 'POST',
      headers: { ...headers, Authorization: `Beare ${token}` },
    });
    server.child.kill('SIGTERM');
    const { stdout } = await server.ended;
    const lines = stdout.split('\n').filter((line) => line.includes('"method"'));
    const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (url: string) =>
      requests.filter((line) => line['url'] === url).map(({ address, account }) => [address, account]);
    const isOn = LOG_CLIENTS === 'on';
    expect(of('/changelog')).toEqual([[isOn ? '203.0.113.9' : undefined, undefined]]);
    expect(of('/api/signin/getUserInfo')).toEqual([
      isOn ? ['203.0.113.9', '写手on'] : [undefined, undefined],
    ]);
  }
});
