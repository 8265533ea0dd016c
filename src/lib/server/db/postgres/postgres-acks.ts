export const ACK_CHANNEL = 'moye_acks';

/** A greeting (answered if it `asks`), a farewell, or the newest letters received, by sender. */
interface Message {
  from: string;
  greets?: 'asks' | 'answers' | 'leaves';
  heard?: Record<string, number>;
}

interface Wait {
  number: number;
  missing: Set<string>;
  done: () => void;
}

export type Acks = ReturnType<typeof createAcks>;

/**
 * Lets a writer wait until every other process has received its notices. After the writer's call is answered
 * no process serves a stale page. A process that does not confirm within `leaseMs` has stopped using its
 * cache by then (`isCurrent`), and is not waited for until it sends a message again.
 */
export function createAcks(from: string, leaseMs: number) {
  /** The newest letter that each other process has confirmed, perhaps before its writer waits for it. */
  const peers = new Map<string, number>();
  const waits = new Set<Wait>();
  const unsent = new Map<string, number>();
  let hadPeers = false;
  let isSending = false;
  let send: ((text: string) => Promise<unknown>) | undefined;

  const post = async (message: Omit<Message, 'from'>): Promise<void> => {
    await send?.(JSON.stringify({ from, ...message })).catch(() => {});
  };
  /** Sends one confirmation at a time; notices received meanwhile share the next one. */
  async function flush(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (unsent.size > 0) {
      const heard = Object.fromEntries(unsent);
      unsent.clear();
      await post({ heard });
    }
    isSending = false;
  }
  function settle(peer: string, upTo: number): void {
    if (peers.has(peer)) peers.set(peer, upTo);
    for (const wait of waits) {
      if (wait.number > upTo) continue;
      wait.missing.delete(peer);
      if (wait.missing.size === 0) wait.done();
    }
  }

  return {
    async connect(sender: (text: string) => Promise<unknown>): Promise<void> {
      send = sender;
      await post({ greets: 'asks' });
    },
    disconnect(): void {
      send = undefined;
      unsent.clear();
    },
    leave: () => post({ greets: 'leaves' }),
    acknowledge(to: string, number: number): void {
      unsent.set(to, number);
      void flush();
    },
    open(text: string): void {
      const message = read(text);
      if (!message || message.from === from) return;
      if (message.greets === 'leaves') {
        peers.delete(message.from);
        return settle(message.from, Infinity);
      }
      if (!peers.has(message.from)) peers.set(message.from, -1);
      hadPeers = true;
      if (message.greets === 'asks') void post({ greets: 'answers' });
      const heard = message.heard?.[from];
      if (heard !== undefined) settle(message.from, heard);
    },
    /** Resolves when every other process has received the letter `number`, or may no longer use its cache. */
    async received(number: number): Promise<void> {
      // Without a connection confirmations are lost.
      if (!send) return hadPeers ? new Promise((resolve) => void setTimeout(resolve, leaseMs)) : undefined;
      const missing = new Set([...peers].flatMap(([peer, upTo]) => (upTo < number ? [peer] : [])));
      if (missing.size === 0) return;
      await new Promise<void>((resolve) => {
        const wait: Wait = { number, missing, done };
        const timer = setTimeout(() => {
          for (const peer of missing) peers.delete(peer);
          done();
        }, leaseMs);
        function done(): void {
          clearTimeout(timer);
          waits.delete(wait);
          resolve();
        }
        waits.add(wait);
      });
    },
  };
}

function read(text: string): Message | null {
  try {
    const message = JSON.parse(text) as Message | null;
    return typeof message?.from === 'string' ? message : null;
  } catch {
    return null;
  }
}
