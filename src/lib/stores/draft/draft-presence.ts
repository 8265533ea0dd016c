import { atom } from 'nanostores';

export type Presence = ReturnType<typeof openPresence>;

interface Message {
  kind: 'asks' | 'answers' | 'leaves';
  /** `user/id` of the article, or the name of an entry's lock. */
  article: string;
  key: string;
}

const CHANNEL = 'moye-editing';
const RESPONSE_TIMEOUT_MS = 200;
const lockOf = (key: string) => `moye-draft/${key}`;
/** Entries claimed by this page, used where Web Locks are unavailable (plain HTTP). */
const claimed = new Set<string>();

/**
 * Claims a journal entry for this page. Resolves to a function that releases it, or null if another editor
 * has it.
 */
export async function claimEntry(key: string): Promise<(() => void) | null> {
  if (!('locks' in navigator)) return claimByAsking(key);
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock === null) return resolve(null);
      return new Promise<void>((release) => resolve(release));
    };
    navigator.locks.request(lockOf(key), { ifAvailable: true }, hold).catch(reject);
  });
}

/** Asks the other tabs. Suspended tabs do not respond; then a conflict may follow, but no text is lost. */
async function claimByAsking(key: string): Promise<(() => void) | null> {
  if (claimed.has(key)) return null;
  claimed.add(key);
  const channel = new BroadcastChannel(CHANNEL);
  const isTaken = await new Promise<boolean>((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'answers' && data.article === lockOf(key)) resolve(true);
    });
    channel.postMessage({ kind: 'asks', article: lockOf(key), key: '' } satisfies Message);
    setTimeout(resolve, RESPONSE_TIMEOUT_MS, false);
  });
  channel.close();
  if (isTaken) claimed.delete(key);
  return isTaken ? null : () => void claimed.delete(key);
}

export function openPresence(user: string, key: string) {
  const $elsewhere = atom(false);
  const others = new Set<string>();
  let article: string | null = null;
  const channel = new BroadcastChannel(CHANNEL);
  const send = (kind: Message['kind'], about: string) =>
    channel.postMessage({ kind, article: about, key } satisfies Message);
  const forget = (other: string) => {
    others.delete(other);
    $elsewhere.set(others.size > 0);
  };
  const meet = (other: string) => {
    if (others.has(other)) return;
    others.add(other);
    $elsewhere.set(true);
    // Granted when that tab closes or crashes.
    if ('locks' in navigator) void navigator.locks.request(lockOf(other), () => forget(other));
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'asks' && data.article === lockOf(key)) send('answers', data.article);
    if (data.article !== article || data.key === key) return;
    if (data.kind === 'leaves') return forget(data.key);
    meet(data.key);
    if (data.kind === 'asks') send('answers', article);
  });
  return {
    $elsewhere,
    opened(id: string): void {
      if (article === `${user}/${id}`) return;
      article = `${user}/${id}`;
      send('asks', article);
    },
    close(): void {
      if (article !== null) send('leaves', article);
      article = null;
      channel.close();
    },
  };
}
