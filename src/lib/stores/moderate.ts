import type { Takedown } from '../contract/calls/moderation-calls.ts';
import { call } from './api.ts';
import { showNotice, showUndo } from './toasts.ts';

export interface Moderated {
  kind: 'article' | 'comment';
  _id: string;
  /** The version that staff has read. */
  version: string;
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
  const decided = await send(items, action, note).catch(() => null);
  changed();
  if (!decided) return;
  const { changed: left } = decided;
  if (decided.done.length === 0) {
    showNotice(left === 0 ? '已经有人处理过了' : leftAlone(left));
    return;
  }
  showUndo(`${done} ${decided.done.length} 项${left === 0 ? '' : `；${leftAlone(left)}`}`, () =>
    send(decided.done, back, '').then(changed, changed),
  );
}

const leftAlone = (count: number): string => `${count} 项在您看过之后有变化，没有处理`;

/** Approves changes of public items, or refuses them. The call shows refusals. */
export async function decideChanges(
  items: readonly Moderated[],
  { action, note, done, changed }: Omit<Decision, 'back'>,
): Promise<void> {
  let [count, left] = [0, 0];
  for (const each of byKind(items)) {
    const decision = { ...each, action: action === 'restore' ? 'approve' : 'refuse', note } as const;
    const decided = await call('changeDecide', decision).catch(() => null);
    count += decided?.done.length ?? 0;
    left += decided?.changed.length ?? 0;
  }
  changed();
  const parts = [...(count > 0 ? [`${done} ${count} 项改动`] : []), ...(left > 0 ? [leftAlone(left)] : [])];
  if (parts.length > 0) showNotice(parts.join('；'));
}

const byKind = (items: readonly Moderated[]) =>
  (['article', 'comment'] as const).flatMap((kind) => {
    const some = items.filter((item) => item.kind === kind);
    if (some.length === 0) return [];
    return [{ kind, ids: some.map(({ _id }) => _id), versions: some.map(({ version }) => version) }];
  });

async function send(items: readonly Moderated[], action: Takedown, note: string) {
  const done: Moderated[] = [];
  let changed = 0;
  for (const { kind, ...each } of byKind(items)) {
    const name = kind === 'article' ? 'articleModerate' : 'commentModerate';
    const decided = await call(name, { ...each, action, note });
    done.push(...decided.done.map((_id, at) => ({ kind, _id, version: decided.versions[at] ?? '' })));
    changed += decided.changed.length;
  }
  return { done, changed };
}

/** Submits a refused article again. The call shows refusals. */
export async function resubmit(id: string, changed: () => void): Promise<void> {
  const message = await call('articleResubmit', { id }).catch(() => null);
  if (message !== null) showNotice(message);
  changed();
}
