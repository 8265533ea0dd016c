import { beforeEach, expect, test } from 'vitest';
import { createJournal, type Journal, type SlowStore } from '../../../../src/lib/client/journal/journal.ts';
import type { FastEntries } from '../../../../src/lib/client/journal/journal-fast.ts';
import { entryOf } from '../entries.ts';

let hasRoom: boolean;
let inSlow: number[][];
let drawFrame: () => void;
let journal: Journal;

beforeEach(() => {
  hasRoom = true;
  inSlow = [];
  const fast: FastEntries = { put: () => hasRoom, remove: () => undefined, list: () => [] };
  const slow: SlowStore = {
    put(items) {
      inSlow.push(items.map((item) => ('seq' in item ? Number(item.seq) : 0)));
      return Promise.resolve();
    },
    list: () => Promise.resolve([]),
  };
  const drawn = () => new Promise<void>((resolve) => (drawFrame = resolve));
  journal = createJournal(fast, slow, () => '二', drawn);
});

/** Waits for everything except animation frames. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('a text that is stored elsewhere is copied after the next frame, once for all keys before it', async () => {
  expect(journal.put(entryOf(1, '长'))).toBe(true);
  expect(journal.put(entryOf(2, '长安'))).toBe(true);
  await settled();
  expect(inSlow).toEqual([]);
  drawFrame();
  await settled();
  expect(inSlow).toEqual([[2]]);
});

test('a text stored nowhere else is copied at once', async () => {
  hasRoom = false;
  expect(await journal.put(entryOf(1, '长'))).toBe(true);
  expect(inSlow).toEqual([[1]]);
});

test('a text stored nowhere else does not wait behind a key that waits for a frame', async () => {
  void journal.put(entryOf(1, '长'));
  hasRoom = false;
  const isKept = journal.put(entryOf(2, '长安'));
  drawFrame();
  expect(await isKept).toBe(true);
  expect(inSlow).toEqual([[2]]);
  hasRoom = true;
  void journal.put(entryOf(3, '长安一'));
  await settled();
  expect(inSlow).toEqual([[2]]);
});

test('a text is removed in the frame that would have copied it', async () => {
  void journal.put(entryOf(1, '长'));
  const gone = journal.remove(entryOf(2, '长'));
  drawFrame();
  await gone;
  expect(inSlow).toEqual([[2]]);
});
