import type { PushEngine } from './push-queries.ts';

export const ENDPOINTS: Record<PushEngine, string> = {
  baidu: 'http://data.zz.baidu.com/urls',
  indexnow: 'https://api.indexnow.org/indexnow',
};

/** URLs that an engine will never accept, and how many more it accepts today. */
export interface Taken {
  refused: string[];
  remain?: number;
}

const PUSH_TIMEOUT_MS = 15_000;
const MAX_RESPONSE_CHARACTERS = 500;

/**
 * Submits URLs of the site at `origin` to an engine.
 * @throws the engine's response if it accepted none
 */
export async function submit(
  engine: PushEngine,
  { endpoint, key, origin }: { endpoint: string; key: string; origin: string },
  urls: readonly string[],
): Promise<Taken> {
  const { host } = new URL(origin);
  const isBaidu = engine === 'baidu';
  const address = isBaidu ? `${endpoint}?${new URLSearchParams({ site: origin, token: key })}` : endpoint;
  const body = isBaidu
    ? urls.join('\n')
    : JSON.stringify({ host, key, keyLocation: `${origin}/${key}.txt`, urlList: urls });
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': isBaidu ? 'text/plain' : 'application/json; charset=utf-8' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
  });
  const text = (await response.text()).slice(0, isBaidu ? undefined : MAX_RESPONSE_CHARACTERS);
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, MAX_RESPONSE_CHARACTERS)}`.trim());
  return isBaidu ? readBaidu(text) : { refused: [] };
}

function readBaidu(text: string): Taken {
  const answer = JSON.parse(text) as Record<string, unknown>;
  if (typeof answer['success'] !== 'number') throw new Error(text.slice(0, MAX_RESPONSE_CHARACTERS));
  const refused = ['not_same_site', 'not_valid'].flatMap((name) => {
    const list = answer[name];
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  });
  return {
    refused,
    ...(typeof answer['remain'] === 'number' ? { remain: answer['remain'] } : {}),
  };
}
