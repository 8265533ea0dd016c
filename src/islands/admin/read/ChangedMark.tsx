import { useStore } from '@nanostores/react';
import {
  $changedItems,
  $reads,
  $refusedItem,
  readKey,
  type Listed,
} from '../../../lib/stores/staff-reads.ts';
import { lazyPart } from '../../ui/lazy.tsx';

const ReadDialog = lazyPart(() => import('./ReadDialog.tsx'));

/** Announces, before a decision, that an item has changed since staff has read it. */
export function ChangedMark({ item }: { item: Listed }) {
  const key = readKey(item);
  const read = useStore($reads, { keys: [key], ssr: 'initial' })[key];
  const isChanged = useStore($changedItems, { ssr: 'initial' }).has(key);
  if (!isChanged && (!read || read.version === item.version)) return null;
  return <output className="block text-sm text-vermilion">您看过之后有改动，请打开全文看过再决定。</output>;
}

/** Shows the item on which a decision was refused, with what has changed. One for each page. */
export function RefusedItem() {
  const item = useStore($refusedItem, { ssr: 'initial' });
  if (!item) return null;
  const { kind, _id, text, refusal } = item;
  return (
    <ReadDialog
      kind={kind}
      id={_id}
      refusal={refusal}
      {...(text === undefined ? {} : { listed: text })}
      onClose={() => $refusedItem.set(null)}
    />
  );
}
