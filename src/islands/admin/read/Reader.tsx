import { useStore } from '@nanostores/react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { Inspection } from '../../../lib/contract/calls/review-calls.ts';
import { $openedItem, readKey, type Listed } from '../../../lib/stores/staff-reads.ts';
import { $staffCounts } from '../../../lib/stores/staff-counts.ts';
import { lazyPart } from '../../ui/lazy.tsx';
import { Action } from '../../ui/Action.tsx';

const ReadDialog = lazyPart(() => import('./ReadDialog.tsx'));

interface Props {
  /** Reloads the list. */
  refresh: () => void;
  /** Whether the list has pending items or reports, whose changes the server announces. */
  isLive: boolean;
  /** Buttons that decide on the item as it was read; null if there is nothing to decide. */
  decisions: (read: Inspection) => ReactNode;
}

/**
 * Dialog in which staff reads an item of a list and decides on it. Reloads a live list when something in it
 * changes, so that rows and dialog show what authors change meanwhile.
 */
export function Reader({ refresh, isLive, decisions }: Props) {
  const opened = useStore($openedItem, { ssr: 'initial' });
  const reload = useEffectEvent(refresh);
  useEffect(() => {
    if (!isLive) return undefined;
    // A hidden page reloads its list when it is shown again (PagedSection.tsx).
    return $staffCounts.listen(() => document.visibilityState === 'visible' && reload());
  }, [isLive]);
  if (!opened) return null;
  return (
    <ReadDialog
      key={readKey(opened)}
      opened={opened}
      refresh={refresh}
      decisions={decisions}
      onClose={() => $openedItem.set(null)}
    />
  );
}

interface ReadActionProps extends Pick<Listed, 'kind' | '_id'> {
  /** Names the item for screen readers. */
  name: string;
}

/** Button that opens a whole article or comment in the reader of the page. */
export const ReadAction = ({ kind, _id, name }: ReadActionProps) => (
  <Action label={`看全文：${name}`} onClick={() => $openedItem.set({ kind, _id })}>
    看全文
  </Action>
);
