import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

interface Item {
  key: string;
  user: string;
}

/** Asynchronous storage with more space than localStorage, keyed by `key`, indexed by `user`. */
export interface SlowStore {
  /** Writes all items, or rejects. */
  put(items: readonly Item[]): Promise<void>;
  list(user: string): Promise<unknown[]>;
}

interface Drafts extends DBSchema {
  entries: { key: string; value: Item & { time?: unknown; isGone?: unknown }; indexes: { user: string } };
}

const NAME = 'moye-drafts';
const TOMBSTONE_RETENTION_MS = 30 * 24 * 3_600_000;

/** Store in this browser's IndexedDB, opened on first use. A failed open is retried on the next use. */
export function openSlowStore(): SlowStore {
  let opening: Promise<IDBPDatabase<Drafts>> | null = null;
  const lose = () => (opening = null);
  const begin = async () => {
    opening ??= open(lose).catch((error: unknown) => {
      lose();
      throw error;
    });
    return (await opening).transaction('entries', 'readwrite');
  };
  return {
    async put(items) {
      const transaction = await begin();
      const writes = items.map((item) => transaction.store.put(item));
      // Commits without waiting for the writes, because the page may be closed by then.
      transaction.commit();
      await Promise.all([...writes, transaction.done]);
    },
    async list(user) {
      const { store, done } = await begin();
      const read = async () => {
        const items = await store.index('user').getAll(user);
        const oldest = Date.now() - TOMBSTONE_RETENTION_MS;
        const buried = items.filter(({ isGone, time }) => isGone === true && Number(time) < oldest);
        await Promise.all(buried.map(({ key }) => store.delete(key)));
        return items;
      };
      const [items] = await Promise.all([read(), done]);
      return items;
    },
  };
}

/** `lost` is called when the connection is closed, by the browser or for a newer version's tab. */
const open = (lost: () => void): Promise<IDBPDatabase<Drafts>> =>
  openDB<Drafts>(NAME, 1, {
    upgrade(database) {
      database.createObjectStore('entries', { keyPath: 'key' }).createIndex('user', 'user');
    },
    terminated: lost,
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      lost();
    },
  });
