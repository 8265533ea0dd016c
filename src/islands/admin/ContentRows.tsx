import { useState, type ReactNode } from 'react';
import type { Takedown } from '../../lib/contract/calls/review-calls.ts';
import type { ModerationState } from '../../lib/contract/moderation-moves.ts';
import { moderate } from '../../lib/stores/moderate.ts';
import type { Listed } from '../../lib/stores/staff-reads.ts';
import { SelectBox, SelectionBar, type Selection } from '../ui/paged/Selection.tsx';
import { STATES } from './content-kinds.ts';
import { ChangedMark, ChosenMark } from './read/ChangedMark.tsx';
import { ReadAction, Reader } from './read/Reader.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { Action } from '../ui/Action.tsx';

interface ContentRow {
  id: string;
  version: string;
  state: ModerationState;
  reason: string;
  /** Accessible name of the row's checkbox and buttons. */
  name: string;
  shown: ReactNode;
  /** Other actions, before those of moderation. */
  more?: ReactNode;
}

interface Props {
  kind: 'article' | 'comment';
  rows: readonly ContentRow[];
  selection: Selection;
  isSearch: boolean;
  changed: () => void;
}

type Decision = Exclude<Takedown, 'hold'>;

const UNITS = { article: '篇', comment: '条' } as const;
const TEXTS: Readonly<Record<Decision, string>> = { restore: '恢复', hide: '隐藏', delete: '删除' };

/** Actions that each state allows. `BACK` holds the action that returns to that state. */
const ACTIONS: Readonly<Record<ModerationState, readonly Decision[]>> = {
  shown: ['hide', 'delete'],
  held: ['restore', 'hide', 'delete'],
  hidden: ['restore', 'delete'],
  deleted: ['restore', 'hide'],
};
const BACK: Readonly<Record<ModerationState, Takedown>> = {
  shown: 'restore',
  held: 'hold',
  hidden: 'hide',
  deleted: 'delete',
};

export function ContentRows({ kind, rows, selection, isSearch, changed }: Props) {
  const state = rows[0]?.state ?? 'shown';
  return (
    <>
      <SelectionBar items={rows} idOf={({ id }) => id} selection={selection} unit={UNITS[kind]}>
        {(chosen) => (
          <>
            <Decisions kind={kind} state={state} items={chosen} isSearch={isSearch} changed={changed} />
            <ChosenMark items={chosen.map(({ id }) => ({ kind, _id: id }))} />
          </>
        )}
      </SelectionBar>
      <ol role="list" className="mt-2">
        {rows.map((row) => (
          <li key={row.id} className="hairline py-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <SelectBox id={row.id} title={row.name} selection={selection} />
            <div className="min-w-0">
              {row.shown}
              {row.state !== 'shown' && (
                <p className="text-sm">
                  <span className="badge">{STATES[row.state]}</span>
                  {row.reason !== '' && <bdi className="ml-2 text-soft">{row.reason}</bdi>}
                </p>
              )}
              <ChangedMark items={[{ kind, _id: row.id }]} />
              <p className="flex justify-end gap-1 mr--2 text-sm whitespace-nowrap">
                <ReadAction kind={kind} _id={row.id} name={row.name} />
                {row.more}
                <Decisions
                  kind={kind}
                  state={row.state}
                  items={[row]}
                  name={row.name}
                  isSearch={isSearch}
                  changed={changed}
                />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

interface ReaderProps {
  refresh: () => void;
  /** Tab of the list. */
  show: string;
  isSearch: boolean;
}

/** Reader with the decisions of `ContentRows`. */
export const ContentReader = ({ refresh, show, isSearch }: ReaderProps) => (
  <Reader
    isLive={show === 'held' && !isSearch}
    refresh={refresh}
    decisions={({ kind, _id: id, version, state }) => (
      <Decisions kind={kind} state={state} items={[{ id, version }]} isSearch={isSearch} changed={refresh} />
    )}
  />
);

interface DecisionsProps {
  kind: Listed['kind'];
  /** State of all `items`. */
  state: ModerationState;
  items: readonly Pick<ContentRow, 'id' | 'version'>[];
  /** Accessible name of a single item. */
  name?: string;
  isSearch: boolean;
  changed: () => void;
}

/** Buttons that decide on items. Each decision can be undone while its toast is shown. */
function Decisions({ kind, state, items, name, isSearch, changed }: DecisionsProps) {
  const [asked, setAsked] = useState<Decision | null>(null);
  const textOf = (action: Decision) => (action === 'restore' && state === 'held' ? '通过' : TEXTS[action]);
  const listed = items.map(({ id, version }) => ({ kind, _id: id, version }));
  const decide = (action: Decision, note: string) =>
    moderate(listed, { action, note, back: BACK[state], done: `已${textOf(action)}`, changed });
  const run = (action: Decision) => {
    if (action === 'restore') return void decide(action, '');
    setAsked(action);
    // The dialog announces what has changed since. Searching again would be slow.
    if (!isSearch) changed();
  };
  return (
    <>
      {ACTIONS[state].map((action) => (
        <Action
          key={action}
          isDangerous={action === 'delete'}
          onClick={() => run(action)}
          {...(name === undefined ? {} : { label: `${textOf(action)}：${name}` })}
        >
          {textOf(action)}
        </Action>
      ))}
      {asked && (
        <ReasonDialog
          title={`${textOf(asked)} ${items.length} ${UNITS[kind]}${kind === 'article' ? '文章' : '评论'}`}
          action={textOf(asked)}
          hint="作者会看到这个理由，别人看不到。"
          onClose={() => setAsked(null)}
          onGiven={(note) => decide(asked, note)}
        >
          <ChangedMark items={listed} />
        </ReasonDialog>
      )}
    </>
  );
}
