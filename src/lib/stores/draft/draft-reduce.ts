import { CallError } from '../../client/call-error.ts';
import type { DraftFields } from '../../client/journal/journal-entry.ts';
import { follow, isAcknowledged, isOwn, startOver, withSent } from './draft-entry.ts';
import { asStored, digestOf, isBlank, isSame, isUntouched, isWithin, NOTHING } from './draft-fields.ts';
import { MESSAGES } from './draft-parts.ts';
import { failureOf, type Seen, type ServerVersion } from './draft-server.ts';
import type { DraftEvent, DraftState, Effect, Found, Save } from './draft-state.ts';
import {
  announce,
  atOnce,
  call,
  explain,
  put,
  run,
  schedule,
  withSaveState,
  type Moment,
  type Transition,
} from './draft-transition.ts';
import { Conflict } from './draft-types.ts';

/** Maximum calls per save; more means that two editors overwrite each other in turn. */
const MAX_CALLS_PER_SAVE = 6;

export function reduce(
  state: DraftState,
  event: DraftEvent,
  moment: Moment,
): [DraftState, readonly Effect[]] {
  const { effects, now: _, newId: __, ...next } = apply({ ...state, ...moment, effects: [] }, event);
  return [next, effects];
}

function apply(draft: Transition, event: DraftEvent): Transition {
  switch (event.type) {
    case 'opened':
      return opened({ ...draft, notice: event.message ?? null }, event);
    case 'typed':
      return typed(draft, { ...draft.entry.fields, ...event.fields });
    case 'stored':
      return { ...draft, isStored: event.isStored };
    case 'due':
      return saveNow(draft);
    case 'retry':
      return ['local', 'dirty'].includes(draft.saveState) ? saveNow(atOnce(draft)) : atOnce(draft);
    case 'save':
      return begin(draft, { isPublishing: event.isPublishing, isAsked: true });
    case 'finish':
      return finish({ ...draft, dueAt: null, entry: { ...draft.entry, isNew: false } });
    case 'delete':
      return deleteArticle({ ...draft, dueAt: null, task: { type: 'deletion' } });
    case 'resolve':
      return draft.conflict ? resolve(draft, draft.conflict, event.choice) : draft;
    case 'close':
      return { ...saveNow(draft), isClosed: true };
    case 'deleted':
      return draft.task?.type === 'deletion' ? deleted(draft) : draft;
    case 'failed':
      return failed(draft, event.error);
    case 'sent':
      return sent(draft, event.id, event.seen);
    case 'loaded':
      return draft.task?.type === 'save' ? loaded(draft, draft.task, event.version) : draft;
  }
}

function opened(draft: Transition, { conflict, failure }: Omit<Found, 'entry'>): Transition {
  if (conflict) return showConflict(draft, conflict);
  if (failure !== undefined) return explain(draft, failure);
  if (isAcknowledged(draft.entry) || isUntouched(draft.entry.fields)) return draft;
  return schedule(withSaveState(draft, 'dirty'));
}

function typed(draft: Transition, fields: DraftFields): Transition {
  if (isSame(fields, draft.entry.fields)) return draft;
  const kept = put({ ...draft, notice: null }, { ...draft.entry, fields, time: draft.now });
  if (draft.conflict) return kept;
  return schedule(draft.task || draft.saveState === 'local' ? kept : withSaveState(kept, 'dirty'));
}

function saveNow(draft: Transition): Transition {
  const { entry, task, conflict, isUnsupported } = draft;
  const idle = { ...draft, dueAt: null };
  if (task || conflict || isBlank(entry.fields) || (isUnsupported && entry.status === 'normal')) return idle;
  return isAcknowledged(entry) ? settle(idle) : begin(idle, { isPublishing: false, isAsked: false });
}

/**
 * Starts a save. A new text or a draft is sent as a draft, a published article as a revision; with
 * `isPublishing` the text is sent as the article itself.
 */
function begin(draft: Transition, options: Pick<Save, 'isPublishing' | 'isAsked'>): Transition {
  const isNews = options.isPublishing || draft.saveState !== 'local';
  const save = { ...options, type: 'save', fields: draft.entry.fields, isBehind: false, calls: 0 } as const;
  return advance({ ...(isNews ? withSaveState(draft, 'saving') : draft), dueAt: null }, save);
}

/** Makes the next call of a save. The call may be repeated, so its fields are recorded as sent first. */
function advance(draft: Transition, save: Save): Transition {
  const { entry } = draft;
  const isPublished = entry.status === 'normal' && entry.seen?.revision_time === entry.seen?.update_time;
  const isSaved = isAcknowledged(entry, save.fields) && (!save.isPublishing || isPublished);
  if (isSaved && !save.isBehind) return settle(atOnce({ ...draft, task: null, needsSignIn: false }));
  if (save.calls === MAX_CALLS_PER_SAVE)
    return giveUp(draft, save, new CallError('fault', '文章正在别处修改，请稍后再试'));
  const next = { ...draft, task: { ...save, calls: save.calls + 1 } };
  const { id, seen, status, requestId } = entry;
  const { fields } = save;
  if (id !== null && (save.isBehind || !seen)) return call(next, { type: 'load', id });
  const kept = put(next, { ...withSent(entry, fields), isRequested: entry.isRequested || id === null });
  const own = { fields, status: save.isPublishing ? 'normal' : 'draft' } as const;
  if (id === null || !seen) return call(kept, { type: 'create', ...own, requestId });
  if (save.isPublishing || status === 'draft') return call(kept, { type: 'edit', id, ...own, seen });
  return call(kept, { type: 'revise', id, fields, seen });
}

function sent(draft: Transition, id: string, seen: Seen | null): Transition {
  const { entry, task } = draft;
  if (!task) return draft;
  if (task.type === 'deletion') return deleteArticle({ ...draft, entry: { ...entry, id, status: 'draft' } });
  const status = task.isPublishing || entry.status === 'normal' ? 'normal' : 'draft';
  const acknowledged = seen && { acknowledged: digestOf(task.fields), sent: [] };
  // The server keeps a change that waits for staff as the revision: it is saved, though not published.
  const isPending = task.isPublishing && seen !== null && seen.revision_time !== seen.update_time;
  const rest = isPending ? { ...task, isPublishing: false } : task;
  return advance({ ...draft, entry: { ...entry, id, status, seen, ...acknowledged } }, rest);
}

function loaded(draft: Transition, save: Save, version: ServerVersion): Transition {
  if (!isOwn(draft.entry, save.fields, version))
    return showConflict(end(draft, new Conflict(version)), version);
  return advance(put(draft, follow(draft.entry, version)), { ...save, isBehind: false });
}

function failed(draft: Transition, error: unknown): Transition {
  const { entry, task, newId } = draft;
  const failure = failureOf(error);
  if (!task) return draft;
  if (task.type === 'deletion') {
    if (failure === 'gone') return deleted(draft);
    const rest = announce(end(draft, error), error);
    return ['local', 'dirty'].includes(rest.saveState) ? schedule(rest) : rest;
  }
  if (failure === 'changed') return advance(draft, { ...task, isBehind: true });
  if (failure !== 'gone' || entry.id === null) return giveUp(draft, task, error);
  const restarted = { ...draft, entry: startOver(entry, newId), notice: MESSAGES.gone };
  return advance(restarted, { ...task, isBehind: false });
}

const end = (draft: Transition, error: unknown) => run({ ...draft, task: null }, { type: 'reject', error });

function giveUp(draft: Transition, save: Save, error: unknown): Transition {
  const ended = end(draft, error);
  const next = explain(save.isAsked ? announce(ended, error) : ended, error);
  const isTypedSince = !isSame(save.fields, draft.entry.fields);
  return isTypedSince && next.saveState === 'failed' ? schedule(next) : next;
}

/**
 * Ends a save. Removes the entry if the server has the text, unless the text is still being written (`isNew`)
 * or the server has trimmed it.
 */
function settle(draft: Transition): Transition {
  const { entry, isClosed } = draft;
  if (!isAcknowledged(entry)) {
    const dirty = withSaveState(draft, 'dirty');
    return isClosed ? saveNow(dirty) : schedule(dirty);
  }
  const kept = put(withSaveState(draft, 'saved'));
  const isNeeded = entry.isNew || !isSame(entry.fields, asStored(entry.fields));
  return isNeeded ? kept : run(kept, { type: 'remove', entry: kept.entry });
}

function finish(draft: Transition): Transition {
  if (!isAcknowledged(draft.entry)) return put(draft);
  const entry = { ...draft.entry, seq: draft.entry.seq + 1 };
  return run({ ...draft, entry }, { type: 'remove', entry });
}

function showConflict(draft: Transition, version: ServerVersion): Transition {
  const { overtaken } = version;
  const isMine = overtaken && digestOf(overtaken.fields) === digestOf(draft.entry.fields);
  return withSaveState({ ...draft, conflict: version, asked: isMine ? overtaken : draft.asked }, 'conflict');
}

function resolve(
  draft: Transition,
  version: ServerVersion,
  choice: 'mine' | 'theirs' | DraftFields,
): Transition {
  const { overtaken } = version;
  const fields = choice === 'mine' ? draft.entry.fields : choice === 'theirs' ? version.fields : choice;
  const chosen = follow({ ...draft.entry, fields }, version);
  const next = layAside(put({ ...draft, conflict: null, shown: fields }, chosen), [
    draft.entry.fields,
    version.fields,
  ]);
  // The server held two versions: ask about the other one next.
  if (overtaken && overtaken !== draft.asked && digestOf(overtaken.fields) !== digestOf(fields))
    return showConflict({ ...next, asked: overtaken }, { ...version, ...overtaken });
  if (isAcknowledged(next.entry)) return settle(next);
  const dirty = withSaveState(next, 'dirty');
  const canSave = !next.task && !isBlank(fields);
  return canSave ? begin(dirty, { isPublishing: false, isAsked: false }) : schedule(dirty);
}

function layAside(draft: Transition, texts: readonly DraftFields[]): Transition {
  const { entry, now, newId } = draft;
  const lost = texts.filter((fields) => !isBlank(fields) && !isWithin(fields, entry.fields));
  return lost.reduce((next, fields, index) => {
    const key = `${newId}-${index}`;
    const aside = { ...startOver({ ...entry, key, seq: 1, time: now, fields }, key), isNew: false };
    return run(next, { type: 'put', entry: { ...aside, isAside: true } });
  }, draft);
}

function deleteArticle(draft: Transition): Transition {
  const { id, isRequested, requestId } = draft.entry;
  if (id !== null) return call(draft, { type: 'delete', id });
  if (!isRequested) return deleted(draft);
  // A creation whose response was lost may have created an article; repeating it returns the id.
  const fields = { ...NOTHING, title: '草稿' };
  const kept = put(draft, withSent(draft.entry, fields));
  return call(kept, { type: 'create', fields, status: 'draft', requestId });
}

function deleted(draft: Transition): Transition {
  const entry = { ...draft.entry, seq: draft.entry.seq + 1 };
  const blank = startOver({ ...entry, fields: NOTHING }, draft.newId);
  const idle = { ...draft, entry: blank, conflict: null, task: null, dueAt: null };
  return run(withSaveState(idle, 'clean'), { type: 'remove', entry });
}
