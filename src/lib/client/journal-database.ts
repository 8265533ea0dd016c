import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

interface Item {
  key: string;
  user: string;
}

/** Storage that answers later but holds more, keyed by `key`, listed by `user`. */
export interface SlowStore {
  /** Writes all of them, or rejects. */
  put(items: readonly Item[]): Promise<void>;
  list(user: string): Promise<unknown[]>;
}

interface Drafts extends DBSchema {
  entries: { key: string; value: Item & { time?: unknown; isGone?: unknown }; indexes: { user: string } };
}

const NAME = 'moye-drafts';
const TOMBSTONE_MS = 30 * 24 * 3_600_000;

/** A store in this browser's IndexedDB, opened at first use; what fails is tried anew the next time. */
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
      // Without waiting for them: the page may be gone by then.
      transaction.commit();
      await Promise.all([...writes, transaction.done]);
    },
    async list(user) {
      const { store, done } = await begin();
      const read = async () => {
        const items = await store.index('user').getAll(user);
        const oldest = Date.now() - TOMBSTONE_MS;
        const buried = items.filter(({ isGone, time }) => isGone === true && Number(time) < oldest);
        await Promise.all(buried.map(({ key }) => store.delete(key)));
        return items;
      };
      const [items] = await Promise.all([read(), done]);
      return items;
    },
  };
}

/** `lost` hears that the connection is gone: closed by the browser, or for a newer version's tab. */
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
