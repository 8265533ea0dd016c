import { useState, type ReactNode } from 'react';
import type { Takedown } from '../../lib/contract/calls/review-calls.ts';
import type { ModerationState } from '../../lib/contract/moderation-moves.ts';
import { moderate } from '../../lib/stores/moderate.ts';
import type { Listed } from '../../lib/stores/staff-reads.ts';
import { Action } from '../ui/Action.tsx';
import { SelectBox, SelectionBar } from '../ui/paged/Selection.tsx';
import { ConsoleList, type ListProps } from './ConsoleList.tsx';
import { STATES } from './content-kinds.ts';
import { ChangedMark, ChosenMark } from './read/ChangedMark.tsx';
import { ReadAction, Reader } from './read/Reader.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';

interface Content {
  _id: string;
  version: string;
  state: ModerationState;
  reason: string;
}

interface Props<T extends Content> extends Pick<ListProps<T>, 'load' | 'searchLabel'> {
  kind: Listed['kind'];
  /** Returns the accessible name of an item's checkbox and buttons. */
  nameOf: (item: T) => string;
  /** Renders other actions on an item, before those of moderation. */
  moreOf?: (item: T, changed: () => void) => ReactNode;
  /** Renders an item. */
  children: (item: T) => ReactNode;
}

type Decision = Exclude<Takedown, 'hold'>;

const UNITS = { article: '篇', comment: '条' } as const;
const NOUNS = { article: '文章', comment: '评论' } as const;
const TEXTS: Readonly<Record<Decision, string>> = { restore: '恢复', hide: '隐藏', delete: '删除' };
const TABS = Object.entries(STATES).map(([state, text]) => ({ show: state === 'shown' ? '' : state, text }));

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

/** List of articles or comments, on which staff decides. */
export function ContentList<T extends Content>({ kind, nameOf, moreOf, children, ...list }: Props<T>) {
  return (
    <ConsoleList
      {...list}
      kinds={TABS}
      unit={UNITS[kind]}
      empty={`这里没有${NOUNS[kind]}。`}
      reader={(_, refresh, { show, q }) => (
        <Reader
          isLive={show === 'held' && q === ''}
          refresh={refresh}
          decisions={(read) => (
            <Decisions
              kind={read.kind}
              state={read.state}
              items={[read]}
              isSearch={q !== ''}
              changed={refresh}
            />
          )}
        />
      )}
    >
      {(items, { changed, selection, place }) => {
        const context = { kind, isSearch: place.q !== '', changed };
        return (
          <>
            <SelectionBar items={items} idOf={({ _id }) => _id} selection={selection} unit={UNITS[kind]}>
              {(chosen) => (
                <>
                  <Decisions {...context} state={items[0]?.state ?? 'shown'} items={chosen} />
                  <ChosenMark items={chosen.map(({ _id }) => ({ kind, _id }))} />
                </>
              )}
            </SelectionBar>
            <ol role="list" className="mt-2">
              {items.map((item) => (
                <li key={item._id} className="hairline py-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
                  <SelectBox id={item._id} title={nameOf(item)} selection={selection} />
                  <div className="min-w-0">
                    {children(item)}
                    {item.state !== 'shown' && (
                      <p className="text-sm">
                        <span className="badge">{STATES[item.state]}</span>
                        {item.reason !== '' && <bdi className="ml-2 text-soft">{item.reason}</bdi>}
                      </p>
                    )}
                    <ChangedMark items={[{ kind, _id: item._id }]} />
                    <p className="flex justify-end gap-1 mr--2 text-sm whitespace-nowrap">
                      <ReadAction kind={kind} _id={item._id} name={nameOf(item)} />
                      {moreOf?.(item, changed)}
                      <Decisions {...context} state={item.state} items={[item]} name={nameOf(item)} />
                    </p>
                  </div>
                </li>
              ))}
            </ol>
          </>
        );
      }}
    </ConsoleList>
  );
}

interface DecisionsProps {
  kind: Listed['kind'];
  /** State of all `items`. */
  state: ModerationState;
  items: readonly Pick<Content, '_id' | 'version'>[];
  /** Accessible name of a single item. */
  name?: string;
  isSearch: boolean;
  changed: () => void;
}

/** Buttons that decide on items. Each decision can be undone while its toast is shown. */
function Decisions({ kind, state, items, name, isSearch, changed }: DecisionsProps) {
  const [asked, setAsked] = useState<Decision | null>(null);
  const textOf = (action: Decision) => (action === 'restore' && state === 'held' ? '通过' : TEXTS[action]);
  const listed = items.map(({ _id, version }) => ({ kind, _id, version }));
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
          title={`${textOf(asked)} ${items.length} ${UNITS[kind]}${NOUNS[kind]}`}
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
