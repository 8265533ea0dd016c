import { isCallError } from '../client/call-error.ts';
import { isRefusedWith } from '../client/is-refused-with.ts';
import type { Takedown } from '../contract/calls/review-calls.ts';
import { call } from './api.ts';
import { $openedItem, noteDecided, readKey, versionSeen, type Listed } from './staff-reads.ts';
import { showError, showNotice, showUndo } from './toasts.ts';

interface Decision {
  action: Takedown;
  note: string;
  back: Takedown;
  done: string;
  changed: () => void;
}

/**
 * Applies a decision to several items and offers to undo it for ten seconds. An item that changed since it
 * was read is shown with its differences.
 */
export async function moderate(items: readonly Listed[], decision: Decision): Promise<void> {
  const { action, note, back, done, changed } = decision;
  const decided = await showingChanges(items, (read) => send(read, action, note));
  changed();
  if (!decided) return;
  const left = decided.changed.length;
  if (decided.done.length === 0) {
    showNotice(left === 0 ? '已经有人处理过了' : leftAlone(left));
    return;
  }
  showUndo(`${done} ${decided.done.length} 项${left === 0 ? '' : `；${leftAlone(left)}`}`, () =>
    send(decided.done, back, '').catch(showRefusal).then(changed),
  );
}

/**
 * Decides on `items` in the versions that staff has seen; null if it was refused. The reader then shows a
 * single item that has changed.
 */
export async function showingChanges<T extends { changed?: readonly Listed[] }>(
  items: readonly Listed[],
  decide: (read: readonly Listed[]) => Promise<T>,
): Promise<T | null> {
  try {
    const decided = await decide(items.map((item) => ({ ...item, version: versionSeen(item) })));
    const left = new Set(decided.changed?.map(readKey));
    noteDecided(items.filter((item) => !left.has(readKey(item))));
    return decided;
  } catch (error) {
    const [item] = items;
    const isShown = item && items.length === 1 && isRefusedWith(error, 'VERSION_CHANGED');
    if (isShown && isCallError(error)) $openedItem.set({ ...item, refusal: error.message });
    else showRefusal(error);
    return null;
  }
}

function showRefusal(error: unknown): void {
  if (isCallError(error) && error.kind === 'refused') showError(error.message);
}

const leftAlone = (count: number): string => `${count} 项在你看过之后有变化，没有处理`;

/** Approves changes of public items, or refuses them, as `moderate` does. */
export async function decideChanges(
  items: readonly Listed[],
  { action, note, done, changed }: Omit<Decision, 'back'>,
): Promise<void> {
  const decided = await showingChanges(items, (read) =>
    sendEach(read, (each) =>
      call(
        'changeDecide',
        { ...each, action: action === 'restore' ? 'approve' : 'refuse', note },
        { quiet: true },
      ),
    ),
  );
  changed();
  if (!decided) return;
  const { length: count } = decided.done;
  const left = decided.changed.length;
  const parts = [...(count > 0 ? [`${done} ${count} 项改动`] : []), ...(left > 0 ? [leftAlone(left)] : [])];
  if (parts.length > 0) showNotice(parts.join('；'));
}

const send = (items: readonly Listed[], action: Takedown, note: string) =>
  sendEach(items, ({ kind, ...each }) =>
    call(
      kind === 'article' ? 'articleModerate' : 'commentModerate',
      { ...each, action, note },
      { quiet: true },
    ),
  );

interface Sent {
  kind: Listed['kind'];
  ids: string[];
  versions: string[];
}

/** Sends the items of each kind; `done` has their new versions, if the answer has them. */
async function sendEach(
  items: readonly Listed[],
  decide: (each: Sent) => Promise<{ done: string[]; versions?: string[]; changed: string[] }>,
) {
  const all = { done: [] as Listed[], changed: [] as Listed[] };
  for (const kind of ['article', 'comment'] as const) {
    const some = items.filter((item) => item.kind === kind);
    if (some.length === 0) continue;
    const decided = await decide({
      kind,
      ids: some.map(({ _id }) => _id),
      versions: some.map(({ version }) => version),
    });
    all.done.push(...decided.done.map((_id, at) => ({ kind, _id, version: decided.versions?.[at] ?? '' })));
    all.changed.push(...some.filter(({ _id }) => decided.changed.includes(_id)));
  }
  return all;
}
