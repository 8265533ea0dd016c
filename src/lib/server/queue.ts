import { refusal, refuse } from '../contract/errors.ts';

export interface Queue {
  /**
   * Runs `work` in its turn and settles as it does. Refuses with UNAVAILABLE when queue, or owner's part, is
   * full.
   * @param owner such as a user's id or an address: owners take turns, each with its works in order
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>;
}

interface Limits {
  /** Works that run at once. */
  running: number;
  /** Works of one owner that run at once; `running` unless given. */
  runningEach?: number;
  /** Works that wait, of all owners together. */
  waiting: number;
  /** Works of one owner that wait; `waiting` unless given. */
  waitingEach?: number;
  /** An owner who takes turns like the others and is never refused: one who never has many works at once. */
  neverRefused?: string;
  /** What whoever is refused is told, and when to come back; without it the text of UNAVAILABLE, and 2 s. */
  refusal?: { text?: string; retryAfter: number };
}

interface Waiting {
  start(): void;
  refuse(): void;
}

const REFUSAL = { retryAfter: 2 };

/**
 * A queue for work that costs memory or a core: a flood is refused, and nobody waits for more than one work
 * of each other owner. When it is full, the owner with the most waiting loses the last to a newcomer with
 * fewer.
 */
export function createQueue({
  running: most,
  runningEach = most,
  waiting,
  waitingEach = waiting,
  neverRefused,
  refusal: detail = REFUSAL,
}: Limits): Queue {
  /** Works that wait, by owner. The order of the keys is the order of the turns. */
  const lines = new Map<string, Waiting[]>();
  /** Works that run, by owner. */
  const places = new Map<string, number>();
  let running = 0;
  let length = 0;

  /** Makes room for one more work of `owner`, or refuses it. */
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

  /** Gives back the place of a finished work, and hands it to the next owner that may run one more. */
  function leave(finished: string): void {
    running--;
    const left = (places.get(finished) ?? 1) - 1;
    if (left > 0) places.set(finished, left);
    else places.delete(finished);
    for (const [owner, line] of lines) {
      if (!mayStart(owner)) continue;
      const next = line.shift();
      // Whoever had a turn goes to the end of the round.
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      length--;
      take(owner);
      next?.start();
      return;
    }
  }

  return {
    async run(work, owner = '') {
      await enter(owner);
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}
