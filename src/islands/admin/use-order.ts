import { useRef, useState } from 'react';
import { explain } from '../../lib/client/call-error.ts';
import { showError } from '../../lib/stores/toasts.ts';

/**
 * Order of a list that is saved after every move. Saves are queued, so the last order wins; after a failure
 * the list is loaded again.
 */
export function useOrder<T>(
  loaded: readonly T[],
  save: (items: readonly T[]) => Promise<unknown>,
  reload: () => void,
) {
  const [own, setOwn] = useState({ of: loaded, items: loaded });
  const saving = useRef(Promise.resolve());
  return {
    // Items that were loaded again replace the order shown.
    items: own.of === loaded ? own.items : loaded,
    onOrder(items: readonly T[], isDone: boolean): void {
      setOwn({ of: loaded, items });
      if (!isDone) return;
      saving.current = saving.current
        .then(() => save(items))
        .then(
          () => undefined,
          (error: unknown) => {
            showError(explain(error, '顺序没有保存，请再试一次'));
            reload();
          },
        );
    },
  };
}
