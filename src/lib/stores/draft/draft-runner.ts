import { atom, computed, type ReadableAtom } from 'nanostores';
import type { DraftParts } from './draft-parts.ts';
import { reduce } from './draft-reduce.ts';
import {
  initialState,
  shownState,
  type Call,
  type DraftEvent,
  type Effect,
  type Found,
} from './draft-state.ts';
import { Conflict, DraftRefused, type Draft } from './draft-types.ts';

interface Others {
  $elsewhere: ReadableAtom<boolean>;
  closed(): void;
}

const ignore = () => undefined;

export function startDraft(found: Found, others: Others, parts: DraftParts): Draft {
  const { journal, clock, server } = parts;
  let state = initialState(found.entry);
  const $draft = atom(state);
  let working: Promise<unknown> = Promise.resolve();
  let removing = Promise.resolve();
  let publishing: Promise<string> | null = null;
  let [timerAt, stopTimer]: [number | null, () => void] = [null, ignore];

  function dispatch(event: DraftEvent): Promise<unknown> {
    const [next, effects] = reduce(state, event, { now: clock.now(), newId: parts.newId() });
    const { id, seen } = next.entry;
    if (event.type === 'sent' && id !== null && seen) parts.ownSaves.add(id, seen.revision_time);
    state = next;
    setTimer(next.dueAt);
    const done = effects.map(carryOut);
    // Last: an error in a subscriber must not keep the text from the journal.
    $draft.set(state);
    return Promise.all(done);
  }

  const report = (event: DraftEvent) => void dispatch(event).catch(ignore);

  function setTimer(dueAt: number | null): void {
    if (dueAt === timerAt) return;
    stopTimer();
    [timerAt, stopTimer] = [dueAt, ignore];
    if (dueAt === null) return;
    stopTimer = clock.after(dueAt - clock.now(), () => {
      timerAt = null;
      report({ type: 'due' });
    });
  }

  /** Effects that do not wait, such as a write to the journal, are done before this returns. */
  async function carryOut(effect: Effect): Promise<unknown> {
    switch (effect.type) {
      case 'put': {
        const stored = journal.put(effect.entry);
        return stored === true ? noteStored(true) : void stored.then(noteStored);
      }
      case 'remove':
        removing = journal.remove(effect.entry);
        return;
      case 'notify':
        return parts.notify(effect.sentence, effect.needsSignIn);
      case 'reject':
        throw effect.error;
      case 'call':
        working = request(effect.call).then(dispatch, (error: unknown) =>
          dispatch({ type: 'failed', error }),
        );
        return working;
    }
  }

  function noteStored(isStored: boolean): void {
    if (isStored !== state.isStored) report({ type: 'stored', isStored });
  }

  async function request(call: Call): Promise<DraftEvent> {
    switch (call.type) {
      case 'create':
        return { type: 'sent', ...(await server.create(call.fields, call.status, call.requestId)) };
      case 'edit':
        return {
          type: 'sent',
          id: call.id,
          seen: await server.edit(call.id, call.fields, call.status, call.seen),
        };
      case 'revise':
        return { type: 'sent', id: call.id, seen: await server.revise(call.id, call.fields, call.seen) };
      case 'load':
        return { type: 'loaded', version: await server.load(call.id) };
      case 'delete':
        await server.remove(call.id);
        return { type: 'deleted' };
    }
  }

  const rest = () => working.catch(ignore);

  async function save(status: 'normal' | 'draft'): Promise<string> {
    const { fields, seen } = state.entry;
    const errors = await parts.check({ ...fields, status, type: seen?.type ?? '' });
    if (Object.keys(errors).length > 0) throw new DraftRefused(errors);
    // No task may start between this check and the save.
    while (state.task) await rest();
    if (state.conflict) throw new Conflict(state.conflict);
    await dispatch({ type: 'save', isPublishing: status === 'normal' });
    await dispatch({ type: 'finish' });
    await removing;
    return state.entry.id ?? '';
  }

  const stopWatching = parts.watch(
    () => report({ type: 'retry' }),
    () => report({ type: 'due' }),
  );
  report({ ...found, type: 'opened' });

  return {
    $fields: computed($draft, ({ shown }) => shown),
    $state: computed($draft, (draft) => shownState(draft).state),
    $message: computed($draft, (draft) => shownState(draft).message),
    $needsSignIn: computed($draft, ({ needsSignIn }) => needsSignIn),
    $savedAt: computed($draft, ({ entry }) => entry.seen?.revision_time ?? null),
    $conflict: computed($draft, ({ conflict, entry }) => {
      if (!conflict) return null;
      const mine = { fields: entry.fields, time: new Date(entry.time).toISOString() };
      const { fields, time, savedBy } = conflict;
      const isOfThisBrowser = parts.ownSaves.has(conflict.id, time);
      return { mine, theirs: { fields, time, savedBy, isOfThisBrowser } };
    }),
    $id: computed($draft, ({ entry, conflict }) => conflict?.id ?? entry.id),
    $type: computed($draft, ({ entry }) => entry.seen?.type ?? ''),
    $status: computed($draft, ({ entry }) => entry.status),
    $elsewhere: others.$elsewhere,
    change: (fields) => report({ type: 'typed', fields }),
    saveDraft: async () => void (await save('draft')),
    publish: () => (publishing ??= save('normal').finally(() => (publishing = null))),
    async remove() {
      while (state.task) await rest();
      await dispatch({ type: 'delete' });
      await removing;
    },
    resolve: async (choice) => void (await dispatch({ type: 'resolve', choice }).catch(ignore)),
    async close() {
      if (state.isClosed) return;
      report({ type: 'close' });
      stopWatching();
      while (state.task) await rest();
      others.closed();
    },
  };
}
