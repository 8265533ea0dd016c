import { refusal, refuse } from '../../contract/rules/errors.ts';

interface Limits {
  running: number;
  /** Maximum running per owner; default `running`. */
  runningEach?: number;
  waiting: number;
  /** Maximum queued per owner; default `waiting`. */
  waitingEach?: number;
  /** An owner that takes turns like the others but is never refused; it must never queue much at once. */
  neverRefused?: string;
  /** Text and Retry-After of a refusal; default: the text of UNAVAILABLE, and 2 s. */
  refusal?: { text?: string; retryAfter: number };
}

interface Waiting {
  start(): void;
  refuse(): void;
}

const REFUSAL = { retryAfter: 2 };

/**
 * Creates a queue for work that costs memory or a core: a flood is refused, and an owner waits for at most
 * one piece of work of each other owner. When the queue is full, an owner with fewer queued replaces the last
 * work of the owner with the most.
 */
export function createQueue({
  running: most,
  runningEach = most,
  waiting,
  waitingEach = waiting,
  neverRefused,
  refusal: detail = REFUSAL,
}: Limits) {
  const lines = new Map<string, Waiting[]>();
  const places = new Map<string, number>();
  let running = 0;
  let length = 0;

  function reserve(owner: string): void {
    if (owner === neverRefused) return;
    const own = lines.get(owner)?.length ?? 0;
    if (own >= waitingEach) refuse('UNAVAILABLE', detail);
    if (length < waiting) return;
    const [longest, line] = [...lines].reduce(
      (one, other) => (other[0] !== neverRefused && other[1].length > one[1].length ? other : one),
      [owner, [] as Waiting[]],
    );
    if (line.length <= own + 1) refuse('UNAVAILABLE', detail);
    line.pop()?.refuse();
    length--;
    if (line.length === 0) lines.delete(longest);
  }

  const mayStart = (owner: string) => running < most && (places.get(owner) ?? 0) < runningEach;

  function take(owner: string): void {
    running++;
    places.set(owner, (places.get(owner) ?? 0) + 1);
  }

  function enter(owner: string): Promise<void> | undefined {
    if (mayStart(owner)) {
      take(owner);
      return undefined;
    }
    reserve(owner);
    length++;
    const line = lines.get(owner) ?? [];
    lines.set(owner, line);
    return new Promise((start, reject) => {
      line.push({ start, refuse: () => reject(refusal('UNAVAILABLE', detail)) });
    });
  }

  function leave(finished: string): void {
    running--;
    const left = (places.get(finished) ?? 1) - 1;
    if (left > 0) places.set(finished, left);
    else places.delete(finished);
    for (const [owner, line] of lines) {
      if (!mayStart(owner)) continue;
      const next = line.shift();
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      length--;
      take(owner);
      next?.start();
      return;
    }
  }

  return {
    /**
     * Runs `work` in its turn and settles as it does. Refuses with UNAVAILABLE when the queue or the owner's
     * share is full.
     * @param owner such as a user's id or an address: owners take turns, each in the order of its calls
     */
    async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
      await enter(owner);
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}
