import { atom } from 'nanostores';
import { CallError } from '../../../src/lib/client/call-error.ts';
import type { Client } from '../../../src/lib/client/client.ts';
import { createJournal, type Journal, type SlowStore } from '../../../src/lib/client/journal/journal.ts';
import type { DraftFields } from '../../../src/lib/client/journal/journal-entry.ts';
import { createFastEntries, type FastStore } from '../../../src/lib/client/journal/journal-fast.ts';
import { createOwnSaves } from '../../../src/lib/client/journal/own-saves.ts';
import { checkFields } from '../../../src/lib/client/check.ts';
import { openText, type DraftTarget, type OpenParts } from '../../../src/lib/stores/draft/draft-open.ts';
import { createDraftServer } from '../../../src/lib/stores/draft/draft-server.ts';
import type { Draft } from '../../../src/lib/stores/draft/draft-types.ts';
import { createFakeServer, type FakeServer } from './draft-fake-server.ts';

export const WHOLE: DraftFields = { title: '山居秋暝', content: '空山新雨后', tags: ['诗'], secret: false };
export const NOTHING: DraftFields = { title: '', content: '', tags: [], secret: false };

/** Texts of a few characters already count as long, so they are also stored as changes. */
const LONG = 4;

/** Lets everything run that only waits for promises. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that stands still until the test advances it. */
function createClock() {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const timers = new Set<{ at: number; work: () => void; tab: number }>();
  return {
    now: () => time,
    forTab: (tab: number) => ({
      now: () => time,
      after(milliseconds: number, work: () => void) {
        const timer = { at: time + milliseconds, work, tab };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    }),
    forget(tab: number) {
      for (const timer of timers) if (timer.tab === tab) timers.delete(timer);
    },
    /** Advances the clock and runs due timers in order. */
    async pass(milliseconds: number) {
      const end = time + milliseconds;
      for (;;) {
        await settle();
        const next = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!next) break;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.work();
      }
      time = end;
      await settle();
    },
  };
}

export interface Tab {
  draft: Draft;
  /** Ends the tab between two instructions; none of its pending work happens. */
  crash(): void;
  close(): Promise<void>;
  wake(): void;
  /** Simulates the page being hidden. */
  leave(): void;
}

/** A browser, a server, and a clock. */
export interface World {
  server: FakeServer;
  journal: Journal;
  /** The browser's two stores: `fast` may be full, `slow` may be broken. */
  storage: {
    isFastFull: boolean;
    isSlowBroken: boolean;
    /** Reads of the slow store wait for this promise. */
    slowReading: Promise<void>;
    fast: Map<string, string>;
    slow: Map<string, string>;
  };
  /** The signed-in account, or null. */
  signedIn: string | null;
  /** Messages shown to the author. */
  told: string[];
  pass(milliseconds: number): Promise<void>;
  open(target?: Partial<DraftTarget>): Promise<Tab>;
  /** Kills the browser: changes to localStorage since `saved` are lost. */
  killBrowser(saved: Map<string, string>): void;
  unfinished(): OpenParts;
}

export function createWorld(): World {
  const clock = createClock();
  const server = createFakeServer(clock.now);
  const storage = {
    isFastFull: false,
    isSlowBroken: false,
    slowReading: Promise.resolve(),
    fast: new Map<string, string>(),
    slow: new Map<string, string>(),
  };
  const claims = new Map<string, number>();
  let tabs = 0;
  let ids = 0;

  const fast: FastStore = {
    get length() {
      return storage.fast.size;
    },
    key: (index) => [...storage.fast.keys()][index] ?? null,
    getItem: (name) => storage.fast.get(name) ?? null,
    removeItem: (name) => void storage.fast.delete(name),
    setItem(name, value) {
      if (storage.isFastFull) throw new DOMException('full', 'QuotaExceededError');
      storage.fast.set(name, value);
    },
  };

  const saves = new Map<string, string>();
  const ownSaves = createOwnSaves(() => ({
    ...fast,
    getItem: (name) => saves.get(name) ?? null,
    setItem: (name, value) => void saves.set(name, value),
  }));

  /** The journal of a tab; after a crash it writes nothing more. */
  function journalOf(isAlive: () => boolean): Journal {
    const slow: SlowStore = {
      async put(items) {
        if (storage.isSlowBroken) throw new Error('broken');
        if (!isAlive()) return new Promise(() => undefined);
        for (const item of items) storage.slow.set(item.key, JSON.stringify(item));
      },
      async list(user) {
        await storage.slowReading;
        if (storage.isSlowBroken) throw new Error('broken');
        return [...storage.slow.values()]
          .map((text) => JSON.parse(text) as { user: string })
          .filter((item) => item.user === user);
      },
    };
    const dying: FastStore = {
      ...fast,
      get length() {
        return fast.length;
      },
      setItem: (name, value) => (isAlive() ? fast.setItem(name, value) : undefined),
      removeItem: (name) => (isAlive() ? fast.removeItem(name) : undefined),
    };
    return createJournal(
      createFastEntries(() => dying, LONG),
      slow,
      () => `id-${++ids}`,
    );
  }

  const world: World = {
    server,
    storage,
    signedIn: '王维',
    told: [],
    journal: journalOf(() => true),
    pass: clock.pass,
    async open(target = {}) {
      const number = ++tabs;
      let isAlive = true;
      const watchers = { wake: () => undefined as void, leave: () => undefined as void };
      const parts = partsOf(number, () => isAlive, watchers);
      const draft = await openText({ id: null, ...target }, parts);
      const end = () => {
        isAlive = false;
        clock.forget(number);
        for (const [key, tab] of claims) if (tab === number) claims.delete(key);
      };
      return {
        draft,
        crash: end,
        close: () => draft.close(),
        wake: () => watchers.wake(),
        leave: () => watchers.leave(),
      };
    },
    killBrowser(saved) {
      storage.fast = new Map(saved);
    },
    unfinished: () => partsOf(0, () => true, { wake: () => undefined, leave: () => undefined }),
  };

  function partsOf(
    tab: number,
    isAlive: () => boolean,
    watchers: { wake: () => void; leave: () => void },
  ): OpenParts {
    const user = world.signedIn;
    if (user === null) throw new CallError('signed-out', '请先登录', 402);
    const call = (async (name: string, fields: Record<string, unknown>) => {
      if (!isAlive()) return new Promise(() => undefined);
      if (world.signedIn !== user) throw new CallError('signed-out', '请重新登录', 402);
      const answer = await server.call(user, name, fields);
      // A closed tab receives no responses.
      return isAlive() ? answer : new Promise(() => undefined);
    }) as unknown as Client['call'];
    return {
      user,
      journal: journalOf(isAlive),
      server: createDraftServer(call, user),
      clock: clock.forTab(tab),
      ownSaves,
      newId: () => `id-${++ids}`,
      check: (fields) => checkFields('articleCreate', { ...fields }),
      notify: (sentence) => void world.told.push(sentence),
      watch(wake, leave) {
        Object.assign(watchers, { wake, leave });
        return () => Object.assign(watchers, { wake: () => undefined, leave: () => undefined });
      },
      claim: async (key) => {
        if (claims.has(key)) return null;
        claims.set(key, tab);
        return () => void claims.delete(key);
      },
      presence: () => ({ $elsewhere: atom(false), opened: () => undefined, close: () => undefined }),
    };
  }

  return world;
}

/** State and message of an editor. */
export const stateOf = ({ draft }: Tab) => [draft.$state.get(), draft.$message.get()];

/** Error of the work, or null. */
export const failure = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as Error,
  );

/** Writes and publishes an article elsewhere; returns its id. */
export async function published({ server }: World, fields = WHOLE): Promise<string> {
  const made = (await server.call('王维', 'articleCreate', { ...fields, status: 'normal' })) as {
    id: string;
  };
  return made.id;
}
