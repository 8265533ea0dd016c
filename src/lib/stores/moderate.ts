import type { Takedown } from '../contract/calls/moderation-calls.ts';
import { call } from './api.ts';
import { showNotice, showUndo } from './toasts.ts';

export interface Moderated {
  kind: 'article' | 'comment';
  _id: string;
}

interface Decision {
  action: Takedown;
  note: string;
  back: Takedown;
  done: string;
  changed: () => void;
}

/** Applies a decision to several items and offers to undo it for ten seconds. The call shows refusals. */
export async function moderate(items: readonly Moderated[], decision: Decision): Promise<void> {
  const { action, note, back, done, changed } = decision;
  const changedItems = await send(items, action, note).catch(() => null);
  changed();
  if (!changedItems) return;
  if (changedItems.length === 0) {
    showNotice('已经有人处理过了');
    return;
  }
  showUndo(`${done} ${changedItems.length} 项`, () => send(changedItems, back, '').then(changed, changed));
}

/** Approves changes of public items, or refuses them. The call shows refusals. */
export async function decideChanges(
  items: readonly Moderated[],
  { action, note, done, changed }: Omit<Decision, 'back'>,
): Promise<void> {
  let count = 0;
  for (const kind of ['article', 'comment'] as const) {
    const ids = items.filter((item) => item.kind === kind).map(({ _id }) => _id);
    if (ids.length === 0) continue;
    const decision = { kind, ids, action: action === 'restore' ? 'approve' : 'refuse', note } as const;
    count += (await call('changeDecide', decision).catch(() => null))?.done.length ?? 0;
  }
  changed();
  showNotice(count > 0 ? `${done} ${count} 项改动` : '改动已经有人处理过，或被作者撤回了');
}

async function send(items: readonly Moderated[], action: Takedown, note: string): Promise<Moderated[]> {
  const changed: Moderated[] = [];
  for (const kind of ['article', 'comment'] as const) {
    const ids = items.filter((item) => item.kind === kind).map(({ _id }) => _id);
    if (ids.length === 0) continue;
    const name = kind === 'article' ? 'articleModerate' : 'commentModerate';
    const { done } = await call(name, { ids, action, note });
    changed.push(...done.map((_id) => ({ kind, _id })));
  }
  return changed;
}

/** Submits a refused article again. The call shows refusals. */
export async function resubmit(id: string, changed: () => void): Promise<void> {
  const message = await call('articleResubmit', { id }).catch(() => null);
  if (message !== null) showNotice(message);
  changed();
}
