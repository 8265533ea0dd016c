import { MIB, SECOND_MS } from '../../contract/rules/units.ts';
import type { Config } from '../config/config.ts';

/** Result of one check of the public address; an empty text is fine. */
interface AddressFinding {
  check: string;
  verdict: 'fine' | 'doubtful' | 'wrong';
  text: string;
}

type Settings = Pick<Config, 'origin' | 'trustedHops' | 'metricsToken'>;
type Found = Omit<AddressFinding, 'check'>;

const ANSWER_TIMEOUT_MS = 20 * SECOND_MS;
/** Just below the largest body of the API. */
const BODY_BYTES = 31 * MIB;
/** More than nginx accepts by default in one header, and less than the server does. */
const HEADER_CHARACTERS = 10_000;
const API = '/api/file/uploadImage';

const FINE: Found = { verdict: 'fine', text: '' };
const wrong = (text: string): Found => ({ verdict: 'wrong', text });
const doubtful = (text: string): Found => ({ verdict: 'doubtful', text });

/** What to do about a connection that fails, by the error's code. */
const CONNECTION: Record<string, string> = {
  ENOTFOUND: '域名没有解析到地址：检查 DNS 记录',
  EAI_AGAIN: '域名没有解析到地址：检查 DNS 记录',
  ECONNREFUSED: '那里没有程序在听：检查代理有没有启动，防火墙和安全组有没有放行这个端口',
  EHOSTUNREACH: '到不了那个地址：检查网络、防火墙和安全组',
  CERT_HAS_EXPIRED: '证书过期了：更新证书，再让代理重新读取',
  DEPTH_ZERO_SELF_SIGNED_CERT: '证书是自签名的，浏览器会拦下：换成公共 CA 签发的',
  SELF_SIGNED_CERT_IN_CHAIN: '证书的签发者不受信任，浏览器会拦下：换成公共 CA 签发的',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: '代理没有送出中间证书：把完整的证书链（fullchain）交给它',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: '代理没有送出中间证书：把完整的证书链（fullchain）交给它',
  ERR_TLS_CERT_ALTNAME_INVALID: '证书里没有这个域名：换成写着它的证书',
  ERR_SSL_WRONG_VERSION_NUMBER: '这个端口上不是 HTTPS：在代理里给它配上证书',
};

/**
 * Asks the site at its public address, through every proxy in front of it, one check after another. Stops
 * after a check without which the others say nothing.
 * @param address as readers write it, `https://host`
 */
export async function* examineAddress(address: URL, settings: Settings): AsyncGenerator<AddressFinding> {
  const base = new URL(address.pathname.replace(/\/*$/, '/'), address);
  const connection = await lookAtConnection(base);
  yield { check: '打得开', ...connection };
  if (connection.verdict === 'wrong') return;
  const checks: [check: string, look: () => Promise<Found>][] = [
    ['加密', () => lookAtTls(base)],
    ['网址', async () => lookAtOrigin(base, settings)],
    ['样式', () => lookAtStyles(base)],
    ['代理层数', () => lookAtProxies(base, settings)],
    ['实时更新', () => lookAtSocket(base)],
    ['大的请求', () => lookAtBody(base)],
    ['长的请求头', () => lookAtHeaders(base)],
  ];
  for (const [check, look] of checks)
    yield {
      check,
      ...(await look().catch((error: unknown) => wrong(`查不了：${faultOf(error)}`))),
    };
}

const ask = (base: URL, path: string, options: RequestInit = {}): Promise<Response> =>
  fetch(new URL(path.replace(/^\//, ''), base), {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    ...options,
  });

function faultOf(error: unknown): string {
  const { cause = error, name } = error as Error;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (name === 'TimeoutError')
    return `等了 ${ANSWER_TIMEOUT_MS / SECOND_MS} 秒没有回答：检查防火墙和安全组，以及代理转到的地址`;
  return CONNECTION[code] ?? message;
}

async function lookAtConnection(base: URL): Promise<Found> {
  try {
    const answer = await ask(base, 'healthz');
    const text = await answer.text();
    if (answer.status === 200 && text === 'ok\n') return FINE;
    if ([502, 503, 504].includes(answer.status))
      return wrong(`代理回答 ${answer.status}，它连不上墨页，或墨页还没有就绪：检查服务和代理里的地址`);
    return wrong(
      `回答的不是墨页（/healthz 是 ${answer.status}）：检查代理把这个域名转到了哪里，Debian 的 nginx 要先停用默认的网站`,
    );
  } catch (error) {
    return wrong(faultOf(error));
  }
}

async function lookAtTls(base: URL): Promise<Found> {
  if (base.protocol !== 'https:')
    return doubtful('没有加密：密码和登录会被看见，在代理里配上证书，再把 SITE_URL 改成 https://');
  if (base.port !== '') return FINE;
  const plain = Object.assign(new URL(base), { protocol: 'http:' });
  const answer = await ask(plain, '').catch(() => null);
  if (answer === null || answer.headers.get('location')?.startsWith('https:')) return FINE;
  return doubtful('http:// 的地址没有转到 https://：在代理的 80 端口返回 301');
}

function lookAtOrigin(base: URL, { origin }: Settings): Found {
  if (base.pathname !== '/')
    return wrong(`网站不能放在 ${base.pathname} 下面：给它一个完整的域名，代理里不要去掉前缀`);
  return base.origin === origin
    ? FINE
    : wrong(`SITE_URL 是 ${origin}，读者用的是 ${base.origin}：把 SITE_URL 设成读者用的`);
}

/** A proxy that strips a prefix serves pages whose styles and scripts are elsewhere. */
async function lookAtStyles(base: URL): Promise<Found> {
  const page = await ask(base, 'home');
  const html = await page.text();
  if (!page.headers.has('content-security-policy'))
    return doubtful('代理去掉了页面的 Content-Security-Policy 头：让它原样转发回答的头');
  const paths = [...html.matchAll(/(?:href|src|component-url)="(\/[^"]+\.(?:css|js))"/g)].map(
    ([, path = '']) => path,
  );
  for (const path of ['/manifest.webmanifest', ...paths.slice(0, 3)]) {
    const file = await fetch(new URL(path, base), { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await file.body?.cancel();
    if (file.status !== 200 || file.headers.get('content-type')?.startsWith('text/html'))
      return wrong(
        `页面里的 ${path} 打不开（${file.status}），页面会没有样式：代理要把 / 下面的一切都转给墨页`,
      );
  }
  return FINE;
}

async function lookAtProxies(base: URL, { trustedHops, metricsToken }: Settings): Promise<Found> {
  if (metricsToken === null) return doubtful('查不了：先设置 METRICS_TOKEN 并重启，墨页才说得出它看到几层');
  const answer = await ask(base, 'healthz?verbose', { headers: { Authorization: `Bearer ${metricsToken}` } });
  const { proxies } = (await answer.json().catch(() => ({}))) as { proxies?: number };
  if (proxies === undefined)
    return doubtful('查不了：运行着的墨页用的是别的 METRICS_TOKEN，或代理去掉了 Authorization');
  if (proxies === trustedHops) return FINE;
  return proxies < trustedHops
    ? wrong(
        `前面有 ${proxies} 层代理，TRUST_PROXY 是 ${trustedHops}：谁都能伪造自己的地址，绕过限流，把它设为 ${proxies}`,
      )
    : wrong(
        `前面有 ${proxies} 层代理，TRUST_PROXY 是 ${trustedHops}：所有读者算作同一个地址，把它设为 ${proxies}`,
      );
}

function lookAtSocket(base: URL): Promise<Found> {
  const url = new URL('socket.io/?EIO=4&transport=websocket', base);
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  const { promise, resolve } = Promise.withResolvers<Found>();
  const socket = new WebSocket(url);
  const refused = wrong(
    'WebSocket 连不上，页面上的数字不会自己更新：代理要转发 /socket.io/ 的 Upgrade 和 Connection 头',
  );
  const timer = setTimeout(() => resolve(refused), ANSWER_TIMEOUT_MS);
  socket.addEventListener('open', () => resolve(FINE));
  socket.addEventListener('error', () => resolve(refused));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

async function lookAtBody(base: URL): Promise<Found> {
  const body = new Uint8Array(BODY_BYTES);
  // A proxy may close the connection before its answer is read.
  const answer = await ask(base, API, { method: 'POST', body }).catch(() => null);
  if (answer && (await isFromApi(answer))) return FINE;
  return wrong(
    `代理不收 31 MB 的请求（${answer?.status ?? '连接断开'}），大的图片传不上去：nginx 用 client_max_body_size 32m，别的代理也要放到 32 MB`,
  );
}

async function lookAtHeaders(base: URL): Promise<Found> {
  const headers = { 'X-Moye-Doctor': 'x'.repeat(HEADER_CHARACTERS) };
  const answer = await ask(base, API, { method: 'POST', headers });
  if (await isFromApi(answer)) return FINE;
  return doubtful(
    `代理不收 10 KB 的请求头（${answer.status}），客户端收到的是网页：nginx 用 large_client_header_buffers 4 16k`,
  );
}

/** Whether the API answered, not a proxy with a page. */
async function isFromApi(answer: Response): Promise<boolean> {
  await answer.body?.cancel();
  return answer.headers.get('content-type')?.startsWith('application/json') ?? false;
}
