import type { Takedown } from '../../src/lib/contract/calls/review-calls.ts';
import type { App } from '../../src/lib/server/app.ts';

export type Kind = 'article' | 'comment';
type Action = Takedown | 'approve' | 'refuse';

/** Versions of items now; 'gone' for those that do not exist. */
export const versionsNow = async ({ services }: App, kind: Kind, ids: readonly string[]) => {
  const rows = ids.map((id) => ({ id }));
  const versions = await services.takedowns.versionsOf(kind, rows);
  return ids.map((id) => versions.get(id) || 'gone');
};

/**
 * Decides as staff does in the console: `approve` and `refuse` concern the pending change of an item.
 * `versions` are by default the current ones.
 */
export async function decide(
  app: App,
  actorId: string,
  asked: { kind: Kind; ids: readonly string[]; action: Action; note?: string; versions?: readonly string[] },
) {
  const { kind, action, note = '' } = asked;
  const versions = [...(asked.versions ?? (await versionsNow(app, kind, asked.ids)))];
  const items = { ids: [...asked.ids], versions };
  const { changes, takedowns } = app.services;
  if (action === 'approve' || action === 'refuse')
    return changes.decide({ kind, ...items, action, note }, actorId);
  return takedowns.decideRead(kind, { ...items, action, note }, actorId);
}
