import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFakeSite, type FakeSite } from './fake-site.ts';

/** Responses to successive uploads; 'offline' breaks the connection, 'silence' never responds. */
type Outcome = { status: number; body: unknown } | 'offline' | 'silence';

let site: FakeSite;
let outcomes: Outcome[];
let sent: { token: string; file: FormDataEntryValue | null }[];

class FakeUpload extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  timeout = 0;
  responseText = '';
  #token = '';

  open(): void {}
  setRequestHeader(_: string, value: string): void {
    this.#token = value.replace('Beare ', '');
  }
  getResponseHeader(): null {
    return null;
  }
  send(body: FormData): void {
    sent.push({ token: this.#token, file: body.get('file') });
    const outcome = outcomes.shift() ?? 'offline';
    if (outcome === 'silence') return;
    queueMicrotask(() => {
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }));
      if (outcome === 'offline') return this.#end('error');
      this.status = outcome.status;
      const { body } = outcome;
      this.responseText = typeof body === 'string' ? body : JSON.stringify(body);
      return this.#end('load');
    });
  }
  abort(): void {
    this.#end('abort');
  }
  #end(event: string): void {
    this.dispatchEvent(new Event(event));
    this.dispatchEvent(new Event('loadend'));
  }
}

const file = new File(['png'], '花.png', { type: 'image/png' });
const done = { status: 200, body: { code: 'OK', data: { url: '/api/file/x.png' } } };

beforeEach(() => {
  site = openFakeSite();
  [outcomes, sent] = [[], []];
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a picture is sent with progress, and its URL returned', async () => {
  outcomes = [done];
  const shares: number[] = [];
  const stored = await site.tab().upload(file, { progress: (share) => shares.push(share) });
  expect(stored).toEqual({ url: '/api/file/x.png' });
  expect((sent[0]?.file as File | undefined)?.name).toBe('花.png');
  expect(shares).toEqual([0.5]);
});

test('a picture refused for an expired token is sent again with a fresh one', async () => {
  outcomes = [{ status: 401, body: { code: 'ERROR', data: '登录超时' } }, done];
  const former = site.kept?.token;
  await site.tab().upload(file, {});
  expect(sent.map(({ token }) => token)).toEqual([former, site.kept?.token]);
  expect(site.kept?.token).not.toBe(former);
});

test('a refusal shows the server’s message', async () => {
  outcomes = [{ status: 413, body: { code: 'ERROR', data: '提交的内容过大' } }];
  await expect(site.tab().upload(file, {})).rejects.toMatchObject({ kind: 'refused', status: 413 });
  expect(site.told.refused).toEqual(['提交的内容过大']);
});

test('a picture that a proxy finds too large is refused with a sentence', async () => {
  outcomes = [{ status: 413, body: '<html><center>nginx</center></html>' }];
  await expect(site.tab().upload(file, {})).rejects.toMatchObject({
    kind: 'refused',
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: '图片太大，网站前面的代理没有放行，请缩小后再传',
  });
});

test('a broken connection can be retried', async () => {
  outcomes = ['offline', done];
  const tab = site.tab();
  await expect(tab.upload(file, {})).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(tab.upload(file, {})).resolves.toBeDefined();
  expect(site.told.underWay).toBe(0);
});

test('aborting stops it, also before it has begun', async () => {
  outcomes = ['silence'];
  const giveUp = new AbortController();
  const upload = site.tab().upload(file, { signal: giveUp.signal });
  // The upload code is loaded first.
  await expect.poll(() => sent.length).toBe(1);
  giveUp.abort();
  await expect(upload).rejects.toMatchObject({ kind: 'unreachable' });
  await expect(site.tab().upload(file, { signal: giveUp.signal })).rejects.toMatchObject({
    kind: 'unreachable',
  });
  expect(sent).toHaveLength(1);
  expect([site.told.underWay, vi.mocked(console.info).mock.calls]).toEqual([0, []]);
});
