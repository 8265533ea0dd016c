/** Storage that answers later but holds more, keyed by `key`, listed by `user`. */
export interface SlowStore {
  /** Writes all of them, or rejects. */
  put(items: readonly { key: string; user: string }[]): Promise<void>;
  list(user: string): Promise<unknown[]>;
}

const NAME = 'moye-drafts';
const STORE = 'entries';
const TOMBSTONE_MS = 30 * 24 * 3_600_000;

/** A store in this browser's IndexedDB, opened at first use; what fails is tried anew the next time. */
export function openSlowStore(): SlowStore {
  let opening: Promise<IDBDatabase> | null = null;
  const database = () => {
    opening ??= open(() => (opening = null)).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    async put(items) {
      const transaction = (await database()).transaction(STORE, 'readwrite');
      const store = transaction.objectStore(STORE);
      for (const item of items) store.put(item);
      // Without waiting for the requests: the page may be gone by then.
      transaction.commit();
      await finished(transaction);
    },
    async list(user) {
      const transaction = (await database()).transaction(STORE, 'readwrite');
      const request = transaction.objectStore(STORE).index('user').getAll(user);
      request.addEventListener('success', () => {
        for (const item of request.result as { key: string; time?: unknown; isGone?: unknown }[])
          if (item.isGone === true && Number(item.time) < Date.now() - TOMBSTONE_MS)
            transaction.objectStore(STORE).delete(item.key);
      });
      await finished(transaction);
      return request.result as unknown[];
    },
  };
}

function open(lost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(STORE, { keyPath: 'key' }).createIndex('user', 'user');
    });
    request.addEventListener('success', () => {
      request.result.addEventListener('close', lost);
      request.result.addEventListener('versionchange', () => {
        request.result.close();
        lost();
      });
      resolve(request.result);
    });
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB is unusable')));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('IndexedDB gave up'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('error', fail);
    transaction.addEventListener('abort', fail);
  });
}
