import { useState, type ReactNode } from 'react';
import type { Takedown } from '../../lib/contract/calls/moderation-calls.ts';
import type { ModerationState } from '../../lib/contract/moderation-moves.ts';
import { moderate } from '../../lib/stores/moderate.ts';
import { SelectBox, SelectionBar, type Selection } from '../ui/paged/Selection.tsx';
import { STATES } from './content-kinds.ts';
import { ChangedMark, RefusedItem } from './read/ChangedMark.tsx';
import { ReadAction } from './read/ReadAction.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { Action } from '../ui/Action.tsx';

export interface ContentRow {
  id: string;
  version: string;
  /** Whole text of a comment. */
  text?: string;
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

export function ContentRows({ kind, rows, selection, changed }: Props) {
  const [asked, setAsked] = useState<{ action: Decision; chosen: readonly ContentRow[] } | null>(null);
  const state = rows[0]?.state ?? 'shown';
  const textOf = (action: Decision) => (action === 'restore' && state === 'held' ? '通过' : TEXTS[action]);
  const decide = (action: Decision, chosen: readonly ContentRow[], note: string) =>
    moderate(
      chosen.map(({ id, version, text }) => ({
        kind,
        _id: id,
        version,
        ...(text === undefined ? {} : { text }),
      })),
      { action, note, back: BACK[state], done: `已${textOf(action)}`, changed },
    );
  const run = (action: Decision, chosen: readonly ContentRow[]) =>
    action === 'restore' ? void decide(action, chosen, '') : setAsked({ action, chosen });
  const unit = UNITS[kind];
  return (
    <>
      <SelectionBar items={rows} idOf={({ id }) => id} selection={selection} unit={unit}>
        {(chosen) =>
          ACTIONS[state].map((action) => (
            <Action key={action} isDangerous={action === 'delete'} onClick={() => run(action, chosen)}>
              {textOf(action)}
            </Action>
          ))
        }
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
              <ChangedMark item={{ kind, _id: row.id, version: row.version }} />
              <p className="flex justify-end gap-1 mr--2 text-sm whitespace-nowrap">
                <ReadAction kind={kind} id={row.id} name={row.name} />
                {row.more}
                {ACTIONS[state].map((action) => (
                  <Action
                    key={action}
                    label={`${textOf(action)}：${row.name}`}
                    isDangerous={action === 'delete'}
                    onClick={() => run(action, [row])}
                  >
                    {textOf(action)}
                  </Action>
                ))}
              </p>
            </div>
          </li>
        ))}
      </ol>
      <RefusedItem />
      {asked && (
        <ReasonDialog
          title={`${textOf(asked.action)} ${asked.chosen.length} ${unit}${kind === 'article' ? '文章' : '评论'}`}
          action={textOf(asked.action)}
          hint="作者会看到这个理由，别人看不到。"
          onClose={() => setAsked(null)}
          onGiven={(note) => decide(asked.action, asked.chosen, note)}
        />
      )}
    </>
  );
}
