import { beforeEach, describe, expect, test } from 'vitest';
import { CallError } from '../../../../src/lib/client/call-error.ts';
import type { JournalEntry } from '../../../../src/lib/client/journal/journal-entry.ts';
import { reduce } from '../../../../src/lib/stores/draft/draft-reduce.ts';
import {
  initialState,
  type DraftEvent,
  type DraftState,
} from '../../../../src/lib/stores/draft/draft-state.ts';
import { createWorld, failure, NOTHING, settle, stateOf, WHOLE, type World } from '../draft-world.ts';

const LINKS = { id: null, status: 'new', seen: null, acknowledged: null, sent: [] } as const;
const NAMES = { key: 'key', user: '王维', requestId: 'request', isRequested: false };
const ENTRY: JournalEntry = { ...LINKS, ...NAMES, seq: 0, time: 0, fields: NOTHING, isNew: true };
const SEEN = { update_time: '1', revision_time: '1', type: '' };

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

/** States and effects of events that are one second apart; the inputs must not be modified. */
function play(...events: DraftEvent[]) {
  let state: DraftState = freeze(initialState(ENTRY));
  return events.map((event, index) => {
    const moment = { now: index * 1_000, newId: `new-${index}` };
    const [next, effects] = reduce(state, freeze(event), moment);
    expect(reduce(state, event, moment)).toEqual([next, effects]);
    state = freeze(next);
    return { state, effects: freeze(effects) };
  });
}

describe('an event yields a new state and effects', () => {
  test('typed text is written to the journal with the keystroke, and sent to the server when due', () => {
    const [typed, due, sent] = play(
      { type: 'typed', fields: WHOLE },
      { type: 'due' },
      { type: 'sent', id: 'a', seen: SEEN },
    );
    expect(typed?.state).toMatchObject({ saveState: 'dirty', dueAt: 1_500 });
    expect(typed?.effects).toEqual([{ type: 'put', entry: { ...ENTRY, seq: 1, fields: WHOLE } }]);
    expect(due?.effects.map(({ type }) => type)).toEqual(['put', 'call']);
    expect(due?.effects[0]).toMatchObject({ entry: { isRequested: true, sent: [expect.any(String)] } });
    expect(due?.effects[1]).toMatchObject({
      call: { type: 'create', status: 'draft', requestId: 'request' },
    });
    expect(sent?.state).toMatchObject({ saveState: 'saved', task: null, entry: { id: 'a', sent: [] } });
  });

  test('an unexpected response changes nothing', () => {
    const [before, ...late] = play(
      { type: 'typed', fields: WHOLE },
      { type: 'sent', id: 'a', seen: SEEN },
      { type: 'failed', error: new CallError('unreachable', '网络不通') },
      { type: 'deleted' },
    );
    for (const answer of late) expect(answer).toEqual({ state: before?.state, effects: [] });
  });

  test('two editors saving in turn do not loop forever', () => {
    const changed = new CallError('refused', '文章已在别处修改', 200);
    const version = {
      id: 'a',
      status: 'draft',
      fields: WHOLE,
      time: '',
      savedBy: '',
      seen: SEEN,
      overtaken: null,
    } as const;
    const rounds = Array.from({ length: 5 }, (): DraftEvent[] => [
      { type: 'failed', error: changed },
      { type: 'loaded', version },
    ]);
    const story = play(
      { type: 'typed', fields: WHOLE },
      { type: 'due' },
      { type: 'sent', id: 'a', seen: SEEN },
      { type: 'typed', fields: { content: '续' } },
      { type: 'save', isPublishing: true },
      ...rounds.flat(),
    );
    const effects = story.slice(4).flatMap((each) => each.effects);
    expect(effects.filter(({ type }) => type === 'call')).toHaveLength(6);
    expect(effects.filter(({ type }) => type === 'reject')).toMatchObject([
      { error: { message: '文章正在别处修改，请稍后再试' } },
    ]);
  });
});

describe('while a call is in progress', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld();
  });
  const release = async () => {
    world.server.weather = 'fine';
    world.server.release();
    await settle();
  };

  test('that deletes the article, typing does not restore it', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    world.server.weather = 'stuck';
    const removal = tab.draft.remove();
    await settle();
    tab.draft.change({ content: '续' });
    await world.pass(2_000);
    await release();
    await removal;
    await world.pass(60_000);
    expect(world.server.received).toEqual(['articleCreate', 'articleDelete']);
    expect(() => world.server.only()).toThrow('found 0');
  });

  test('that fails to delete the article, typed text is saved afterwards', async () => {
    const tab = await world.open();
    tab.draft.change(WHOLE);
    await world.pass(2_000);
    tab.draft.change({ content: '续' });
    world.server.weather = 'down';
    expect(await failure(tab.draft.remove())).toMatchObject({ kind: 'unreachable' });
    world.server.weather = 'fine';
    await world.pass(2_000);
    expect(world.server.only().content).toBe('续');
  });

  test('typed text is sent although the editor is closed meanwhile', async () => {
    const tab = await world.open();
    world.server.weather = 'stuck';
    tab.draft.change({ content: '一' });
    tab.leave();
    await settle();
    tab.draft.change({ content: '一二' });
    const closed = tab.close();
    await release();
    await closed;
    expect(world.server.only().content).toBe('一二');
  });

  test('that the server refuses, corrected text is saved', async () => {
    const tab = await world.open();
    world.server.weather = 'stuck';
    tab.draft.change({ title: '长'.repeat(121) });
    await world.pass(2_000);
    tab.draft.change({ title: '短' });
    await world.pass(2_000);
    await release();
    await world.pass(2_000);
    expect(stateOf(tab)).toEqual(['saved', null]);
    expect(world.server.only().title).toBe('短');
  });

  test('that the server refuses, is not retried sooner despite further typing', () => {
    const error = new CallError('refused', '标题不能超过 120 个字符', 200);
    const typed = (count: number): DraftEvent => ({
      type: 'typed',
      fields: { ...WHOLE, title: '长'.repeat(121 + count) },
    });
    const keys = Array.from({ length: 30 }, (_, count) => typed(count));
    const story = play(typed(0), { type: 'due' }, { type: 'failed', error }, ...keys.slice(1));
    const after = story.slice(3).map(({ state }, index) => (state.dueAt ?? 0) - (3 + index) * 1_000);
    expect(after.slice(0, 10)).toEqual([...Array<number>(9).fill(1_500), 1_000]);
    const [due, again] = play(
      typed(0),
      { type: 'due' },
      { type: 'failed', error },
      ...keys.slice(1, 11),
      { type: 'due' },
      { type: 'failed', error },
    ).slice(-2);
    expect(due?.effects.map(({ type }) => type)).toEqual(['put', 'call']);
    expect(again?.state).toMatchObject({ saveState: 'failed', unsavedSince: null });
  });
});
