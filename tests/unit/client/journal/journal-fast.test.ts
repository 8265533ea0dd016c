import { beforeEach, describe, expect, test } from 'vitest';
import { createFastEntries, type FastStore } from '../../../../src/lib/client/journal/journal-fast.ts';
import { createJournal } from '../../../../src/lib/client/journal/journal.ts';
import { entryOf } from '../entries.ts';

const TEXT = '长安一片月，万户捣衣声。'.repeat(20);
const LONG = 100;

let kept: Map<string, string>;
let isFull: boolean;
let store: FastStore;
beforeEach(() => {
  kept = new Map();
  isFull = false;
  store = {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    removeItem: (name) => void kept.delete(name),
    setItem(name, value) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      kept.set(name, value);
    },
  };
});

/** Size of what a put writes, in UTF-16 code units. */
function costOf(put: () => void): number {
  const before = new Map(kept);
  put();
  return [...kept].reduce((sum, [name, value]) => sum + (before.get(name) === value ? 0 : value.length), 0);
}

test('entries move to another name of their author from both stores', async () => {
  const rows = new Map<string, { key: string; user: string }>();
  const slow = {
    put: async (items: readonly { key: string; user: string }[]) =>
      items.forEach((item) => rows.set(item.key, item)),
    list: async (user: string) => [...rows.values()].filter((row) => row.user === user),
  };
  const open = () =>
    createJournal(
      createFastEntries(() => store, LONG),
      slow,
      () => '二',
    );
  const journal = open();
  void journal.put(entryOf(1, TEXT));
  void journal.put(entryOf(2, `${TEXT}。`));
  isFull = true;
  await journal.put({ ...entryOf(1, '只在数据库里'), key: '乙' });
  isFull = false;
  const former = await open().list('李白');
  expect(former.map(({ fields }) => fields.content).toSorted()).toEqual(
    ['只在数据库里', `${TEXT}。`].toSorted(),
  );

  await open().move('李白', '青莲');
  expect(await open().list('李白')).toEqual([]);
  const moved = await open().list('青莲');
  expect(moved).toEqual(former.map((entry) => ({ ...entry, user: '青莲' })));
  expect([...kept.keys()].filter((name) => name.includes(encodeURIComponent('李白')))).toEqual([]);

  await open().move('青莲', '青莲');
  expect(await open().list('青莲')).toEqual(moved);
});

const readAgain = () => createFastEntries(() => store, LONG).list('李白');

describe('an entry of a long text', () => {
  test('costs only what a key changed, and is read completely', () => {
    const entries = createFastEntries(() => store, LONG);
    entries.put(entryOf(1, TEXT));
    const next = entryOf(2, `${TEXT}秋风吹不尽`, { title: '子夜吴歌·秋' });
    expect(costOf(() => entries.put(next))).toBeLessThan(
      costOf(() => createFastEntries(() => store).put(next)),
    );
    expect(readAgain()).toEqual([next]);
  });

  test('is read as last typed, wherever it was changed', () => {
    const entries = createFastEntries(() => store, LONG);
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 0x7fffffff) % below;
    let content = TEXT;
    for (let seq = 1; seq <= 500; seq++) {
      const at = random(content.length + 1);
      const added = ['', '月', '𠮷', '\n', '\ud842', TEXT][random(6)] ?? '';
      content = content.slice(0, at) + added + content.slice(at + random(random(20) === 0 ? 400 : 3));
      const entry = entryOf(seq, content);
      expect(entries.put(entry)).toBe(true);
      expect(readAgain()).toEqual([entry]);
    }
  });

  test('is the last complete write when the tab dies between two writes', () => {
    const entries = createFastEntries(() => store, LONG);
    const changed = entryOf(2, `${TEXT}秋`);
    for (const entry of [entryOf(1, TEXT), changed]) entries.put(entry);
    const before = new Map(kept);
    // So much is new that the whole text is written; then the stored change is removed.
    const whole = entryOf(3, TEXT + TEXT);
    entries.put(whole);
    expect(kept.size).toBe(1);
    const [change] = [...before].filter(([name]) => !kept.has(name));
    kept.set(...(change ?? ['', '']));
    expect(readAgain()).toEqual([whole]);
  });

  test('that exceeds the storage is refused; the previous one stays', () => {
    const entries = createFastEntries(() => store, LONG);
    const first = entryOf(1, TEXT);
    entries.put(first);
    isFull = true;
    expect(entries.put(entryOf(2, `${TEXT}秋`))).toBe(false);
    expect(entries.put(entryOf(3, TEXT + TEXT))).toBe(false);
    expect(readAgain()).toEqual([first]);
  });

  test('leaves nothing behind', () => {
    const entries = createFastEntries(() => store, LONG);
    for (const entry of [entryOf(1, TEXT), entryOf(2, `${TEXT}秋`)]) entries.put(entry);
    entries.remove({ key: '一', user: '李白' });
    expect(kept.size).toBe(0);
  });

  test.each(['{', '{}', '{"base":1}', '{"base":1,"length":240,"head":1,"tail":9,"entry":{}}', 'null'])(
    'is read without a change that is none: %s',
    (broken) => {
      const entries = createFastEntries(() => store, LONG);
      const first = entryOf(1, TEXT);
      for (const entry of [first, entryOf(2, `${TEXT}秋`)]) entries.put(entry);
      const name = [...kept.keys()][1] ?? '';
      kept.set(name, broken);
      expect(readAgain()).toEqual([first]);
    },
  );
});

test('a short text is written whole', () => {
  const entries = createFastEntries(() => store, LONG);
  for (const entry of [entryOf(1, '月'), entryOf(2, '月光')]) entries.put(entry);
  expect(kept.size).toBe(1);
  expect(readAgain()).toEqual([entryOf(2, '月光')]);
});

test('without storage nothing is stored, and nothing fails', () => {
  const entries = createFastEntries(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  expect(entries.put(entryOf(1, '月'))).toBe(false);
  entries.remove({ key: '一', user: '李白' });
  expect(entries.list('李白')).toEqual([]);
});
