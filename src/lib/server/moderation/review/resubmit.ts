import type { HoldReason } from '../../../contract/rules/moderation.ts';
import type { Trx } from '../../db/database.ts';
import { nameArticle, type UnwrittenArticle } from '../../db/name-item.ts';
import type { WithheldItemsTable } from '../../db/schema/moderation-schema.ts';
import type { AppParts } from '../../services.ts';
import * as queries from '../withheld-queries.ts';

/** Whether staff hid the item: the end of a ban restores the items that it has hidden. */
export const mayResubmit = ({ state, hidden_by_ban }: WithheldItemsTable): boolean =>
  state === 'hidden' && hidden_by_ban === 0;

/** Returns an article that staff refused or hid to the queue inside `trx`, and notifies staff. */
export async function putResubmitted(
  trx: Trx,
  { events, notices, now }: Pick<AppParts, 'events' | 'notices' | 'now'>,
  article: UnwrittenArticle & {
    item: WithheldItemsTable;
    words: readonly string[];
    reasons?: readonly HoldReason[];
  },
): Promise<void> {
  const { item, words, reasons: added = [] } = article;
  const known = [...(JSON.parse(item.reasons) as HoldReason[]), ...added];
  const others = known.filter((reason) => reason !== 'resubmitted' && reason !== 'word');
  const reasons = [
    ...new Set(others),
    ...(words.length > 0 ? ['word' as const] : []),
    'resubmitted' as const,
  ];
  await queries.putWithheld(trx, { ...item, state: 'held', note: '', reasons, words, create_time: now() });
  events.emit(trx, { type: 'held-changed' });
  await notices.notify(trx, {
    kind: 'held',
    title: `修改后重新提交：${await nameArticle(trx, article)}`,
    text: '',
    path: '/admin/held',
    uniqueKey: `held:${item.id}:${now()}`,
  });
}
