import { describe, expect, test, vi } from 'vitest';
import type { DraftFields } from '../../../src/lib/client/journal/journal-entry.ts';
import { asStored, isBlank, isSame } from '../../../src/lib/stores/draft/draft-fields.ts';
import type { Weather } from './draft-fake-server.ts';
import { createWorld, NOTHING, settle, type Tab, type World } from './draft-world.ts';

const WEATHERS: readonly Weather[] = ['fine', 'fine', 'down', 'lost', 'stuck', 'signed-out'];
const STEPS = 60;

/** Mulberry32: the same seed gives the same story. */
function createDice(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    one: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  };
}

/** An author in a world where everything goes wrong, and their latest input. */
class Story {
  readonly world: World = createWorld();
  readonly dice: ReturnType<typeof createDice>;
  tab: Tab | null = null;
  typed = NOTHING;
  /** The contents of localStorage that the browser had written to disk. */
  written = new Map<string, string>();
  /** Saved by another device, and not yet shown to the author. */
  unseen: string | null = null;
  count = 0;

  constructor(seed: number) {
    this.dice = createDice(seed);
  }

  async open(): Promise<void> {
    this.world.signedIn = '王维';
    // A page that fails to load is loaded again.
    this.world.server.weather = this.dice.one(['fine', 'down']);
    const tab = await this.world.open();
    this.tab = tab;
    tab.draft.$conflict.subscribe((conflict) => {
      if (conflict?.theirs.fields.content === this.unseen) this.unseen = null;
    });
    if (!isSame(tab.draft.$fields.get(), this.typed))
      throw new Error(
        `expected ${JSON.stringify(this.typed)}, found ${JSON.stringify(tab.draft.$fields.get())}`,
      );
  }

  type(): void {
    const { dice } = this;
    const piece = dice.one(['山', '水\n', ' ', '👨‍👩‍👧', 'a', '']) + String(++this.count);
    const change = dice.one<Partial<DraftFields>>([
      { content: this.typed.content + piece },
      { content: piece },
      { content: '' },
      { title: piece.replace('\n', '') },
      { tags: [`标签${this.count}`] },
      { secret: dice.below(2) === 1 },
      { title: '  ', content: ` ${piece}\n\n` },
    ]);
    this.typed = { ...this.typed, ...change };
    this.tab?.draft.change(change);
  }

  end(how: 'crash' | 'kill'): void {
    this.tab?.crash();
    this.tab = null;
    // Stuck calls of a closed tab may still arrive.
    if (this.dice.below(2)) this.world.server.release();
    if (how === 'kill') this.world.killBrowser(this.written);
  }

  async step(): Promise<void> {
    const { dice, world } = this;
    if (!this.tab) return this.open();
    const roll = dice.below(20);
    if (roll < 8) this.type();
    else if (roll < 11) await world.pass(dice.one([10, 800, 2_000, 12_000, 60_000]));
    else if (roll < 13) world.server.weather = dice.one(WEATHERS);
    else if (roll === 13) world.server.release();
    else if (roll === 14) this.tab.wake();
    else if (roll === 15) this.tab.leave();
    else if (roll === 16) this.end('crash');
    else if (roll === 17) {
      // The slow store lags some milliseconds behind.
      await settle();
      this.end('kill');
    } else if (roll === 18) this.written = new Map(world.storage.fast);
    else world.storage.isFastFull = !world.storage.isFastFull && dice.below(3) === 0;
    await (dice.below(2) ? settle() : undefined);
    // While localStorage is full, the slow store must have had its turn.
    if (world.storage.isFastFull) await settle();
  }

  /** Ends all faults and lets time pass. */
  async comeToRest(): Promise<void> {
    if (!this.tab) await this.open();
    this.world.server.weather = 'fine';
    this.world.server.release();
    this.world.storage.isFastFull = false;
    this.tab?.wake();
    await this.world.pass(120_000);
  }
}

// Thousands of steps, possibly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const SEEDS = Array.from({ length: 80 }, (_, index) => index + 1);

describe('random sequences of events', () => {
  test('the latest text is there when the editor is opened again, and creates one article', async () => {
    for (const seed of SEEDS) {
      const story = new Story(seed);
      try {
        for (let step = 0; step < STEPS; step++) await story.step();
        await story.comeToRest();
        const { world, typed, tab } = story;
        const articles = [...world.server.articles.values()];
        expect(articles.length).toBeLessThanOrEqual(1);
        expect(tab?.draft.$conflict.get()).toBeNull();
        if (!isBlank(typed)) expect(articles[0]).toMatchObject({ ...asStored(typed), status: 'draft' });
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      }
    }
  });

  test('no version of another device is overwritten before it was shown', async () => {
    for (const seed of SEEDS) {
      const story = new Story(seed);
      const { world, dice } = story;
      try {
        for (let step = 0; step < STEPS; step++) {
          const [article] = world.server.articles.values();
          if (article && story.unseen === null && dice.below(8) === 0) {
            story.unseen = `别处 ${step}`;
            world.server.editElsewhere(article._id, { content: story.unseen });
          }
          const isKept = () => story.unseen === null || contentsOf(story.world).includes(story.unseen);
          const chosen = story.tab?.draft.$conflict.get();
          // Not awaited, because it may be stuck.
          if (chosen && dice.below(4) === 0) void story.tab?.draft.resolve('mine');
          else await stepUnlessOpened(story);
          expect(isKept()).toBe(true);
        }
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      }
    }
  });
});

const contentsOf = (world: World) =>
  [...world.server.articles.values()].flatMap(({ content, revision }) => [content, revision?.content]);

/**
 * Like `step`. If nothing of this device was unsaved, the editor may open with the other device's version.
 */
async function stepUnlessOpened(story: Story): Promise<void> {
  if (story.tab) return story.step();
  story.world.server.weather = 'fine';
  const tab = await story.world.open();
  story.tab = tab;
  const shown = tab.draft.$fields.get();
  if (shown.content === story.unseen) story.unseen = null;
  tab.draft.$conflict.subscribe((conflict) => {
    if (conflict?.theirs.fields.content === story.unseen) story.unseen = null;
  });
  const isOwn = tab.draft.$conflict.get() !== null || tab.draft.$state.get() !== 'clean';
  if (isOwn && !isSame(shown, story.typed)) throw new Error('what was typed is gone');
  story.typed = shown;
}
