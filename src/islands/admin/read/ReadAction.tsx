import { $openedItem, type Listed } from '../../../lib/stores/staff-reads.ts';
import { Action } from '../../ui/Action.tsx';

interface Props extends Pick<Listed, 'kind' | '_id'> {
  /** Names the item for screen readers. */
  name: string;
}

/** Button that opens a whole article or comment in the reader of the page. */
export const ReadAction = ({ kind, _id, name }: Props) => (
  <Action label={`看全文：${name}`} onClick={() => $openedItem.set({ kind, _id })}>
    看全文
  </Action>
);
