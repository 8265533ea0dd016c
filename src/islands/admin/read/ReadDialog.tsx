import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useStore } from '@nanostores/react';
import { isCallError } from '../../../lib/client/call-error.ts';
import type { Inspection } from '../../../lib/contract/calls/review-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import {
  $changedKeys,
  $openedItem,
  $seen,
  noteRead,
  readKey,
  type Item,
  type Opened,
  type Seen,
} from '../../../lib/stores/staff-reads.ts';
import { ACTION_NAMES, DECISION_NAMES, HOLD_REASONS } from '../../../lib/contract/rules/moderation.ts';
import { articleUrl, commentUrl, userUrl } from '../../../lib/shared/urls.ts';
import { Action } from '../../ui/Action.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Time } from '../../ui/Time.tsx';
import { STATES } from '../content-kinds.ts';
import { piecesOf } from '../words/pieces.ts';
import { ChangedMark } from './ChangedMark.tsx';
import { Difference, Part } from './Difference.tsx';
import { FieldList, hasChanges } from './FieldChanges.tsx';
import { Since } from './Since.tsx';

type Marks = Inspection['marks']['content'];

/** Text with its listed words highlighted. */
function MarkedText({ text, marks }: { text: string; marks: Marks }) {
  const found = marks.map(([start, end]) => ({ start, end }));
  return piecesOf(text, found).map(({ start, text: piece, isFound }) =>
    isFound ? (
      <mark key={start} className="listed-word">
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

interface Reading {
  read: Inspection | null;
  /** The item as staff had seen it before. */
  seen: Seen | undefined;
  problem: string;
}

/**
 * Reads an item whole, and again when another object for it is opened. Calls `refresh` if the list shows
 * another version.
 */
function useInspection(opened: Opened, refresh: () => void): Reading {
  const [reading, setReading] = useState<Reading>({ read: null, seen: undefined, problem: '' });
  const show = useEffectEvent((read: Inspection) => {
    setReading({ read, seen: $seen.get()[readKey(read)], problem: '' });
    if (noteRead(read)) refresh();
  });
  useEffect(() => {
    let isCurrent = true;
    call('staffRead', { kind: opened.kind, id: opened._id }, { quiet: true }).then(
      (read) => isCurrent && show(read),
      (error: unknown) => {
        const problem = isCallError(error) ? error.message : '没有加载成功，请再试一次';
        if (isCurrent) setReading((former) => ({ ...former, problem }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [opened]);
  return reading;
}

interface Props {
  opened: Opened;
  refresh: () => void;
  decisions: (read: Inspection) => ReactNode;
  onClose(): void;
}

const TITLES = { article: '文章全文', comment: '评论全文' } as const;

/** A whole article or comment for staff: text, pictures, listed words, changes and earlier decisions. */
export default function ReadDialog({ opened, refresh, decisions, onClose }: Props) {
  const { kind, _id, refusal } = opened;
  const { read, seen, problem } = useInspection(opened, refresh);
  return (
    <Dialog title={TITLES[kind]} isOpen onClose={onClose} size="wide">
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
      {read && <Since read={read} seen={seen} refusal={refusal} />}
      {read ? <Whole read={read} /> : problem === '' && <p className="mt-4 text-soft">加载中……</p>}
      {read && (
        <div className="sticky bottom--6 flex flex-wrap items-center justify-end gap-x-2 mx--6 mb--6 mt-4 px-6 py-2 border-0 border-t border-solid border-line bg-raised text-sm empty:hidden">
          <Changed item={{ kind, _id }} />
          {decisions(read)}
        </div>
      )}
    </Dialog>
  );
}

/** Announces that the text has changed while it is on screen. */
function Changed({ item }: { item: Item }) {
  const isChanged = useStore($changedKeys).has(readKey(item));
  if (!isChanged) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 w-full sm:w-auto sm:flex-1">
      <ChangedMark items={[item]} />
      <Action className="ml--2 sm:ml-0" onClick={() => $openedItem.set(item)}>
        看改动
      </Action>
    </div>
  );
}

function Whole({ read }: { read: Inspection }) {
  const { kind, title, content, marks, fields, series_titles: titles, pictures } = read;
  const { quote, earlier = [], judged, change } = read;
  const isChanged =
    judged !== undefined &&
    (judged.title !== title ||
      judged.content !== content ||
      (fields && hasChanges(judged.fields ?? {}, fields)));
  return (
    <div className="mt-3 grid gap-4 [overflow-wrap:anywhere]">
      <Facts read={read} />
      {change && <Difference name="批准后的改动" before={read} after={change} titles={titles} />}
      {isChanged && (
        <Difference
          name={`和上次审核时（${DECISION_NAMES[judged.state]}）的不同`}
          before={judged}
          after={read}
          titles={titles}
        />
      )}
      {earlier.length + (quote ? 1 : 0) > 0 && (
        <Part name="前面的评论">
          {quote && <Said {...quote} before="回复" />}
          {earlier.map((comment, index) => (
            <Said key={index} {...comment} />
          ))}
        </Part>
      )}
      <Part name="正文">
        {kind === 'article' && (
          <p className="mb-2 font-600" dir="auto">
            <MarkedText text={title || '无标题'} marks={marks.title} />
          </p>
        )}
        <p className="whitespace-pre-wrap" dir="auto">
          <MarkedText text={content} marks={marks.content} />
        </p>
        {fields && <FieldList fields={fields} titles={titles} />}
      </Part>
      {pictures.length > 0 && (
        <ul role="list" aria-label="图片" className="flex flex-wrap gap-2">
          {pictures.map((address) => (
            <li key={address}>
              <a href={address} target="_blank" rel="noopener" className="block">
                <img src={address} alt="文章里的图片" loading="lazy" className="picture h-28 max-w-full" />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Facts({ read }: { read: Inspection }) {
  const { kind, _id, article_id, author, title, create_time, is_public, state, note, reasons } = read;
  const { words, decisions } = read;
  const url = kind === 'comment' && is_public ? commentUrl(article_id, _id) : articleUrl(article_id);
  return (
    <div className="text-sm leading-relaxed">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="badge">{is_public ? '公开' : `不公开 · ${STATES[state]}`}</span>
        <a href={userUrl(author)} className="quiet-link font-600">
          <bdi>{author}</bdi>
        </a>
        <span className="text-soft">
          <Time iso={create_time} />
        </span>
        {reasons.map((reason) => (
          <span key={reason} className="badge">
            {HOLD_REASONS[reason]}
          </span>
        ))}
      </p>
      {note !== '' && (
        <p>
          给作者的理由：<bdi>{note}</bdi>
        </p>
      )}
      {words.length > 0 && (
        <p>
          词库里的词：
          {words.map(({ word, category, action, written }) => (
            <span key={word} className="mr-2">
              <mark className="listed-word">{written}</mark>
              <span className="text-soft">
                （{[word === written ? '' : word, category, ACTION_NAMES[action]].filter(Boolean).join('，')}
                ）
              </span>
            </span>
          ))}
        </p>
      )}
      {decisions.map(({ state: decided, note: reason, create_time: time, actor }) => (
        <p key={time} className="text-soft">
          <Time iso={time} /> <bdi>{actor === '' ? '命令行' : actor}</bdi>：{DECISION_NAMES[decided]}
          {reason !== '' && <bdi>，{reason}</bdi>}
        </p>
      ))}
      <p>
        <a href={url} className="button-text ml--1">
          {kind === 'article' ? '在页面上看' : `去文章《${title || '无标题'}》`}
        </a>
      </p>
    </div>
  );
}

function Said({ author, content, before = '' }: { author: string; content: string; before?: string }) {
  return (
    <p className="mb-1 whitespace-pre-wrap" dir="auto">
      <span className="text-soft">
        {before}
        <bdi>{author}</bdi>：
      </span>
      {content}
    </p>
  );
}
