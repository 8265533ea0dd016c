import { useEffect, useState, type ReactNode } from 'react';
import { isCallError } from '../../../lib/client/call-error.ts';
import type { Inspection, ReadFields } from '../../../lib/contract/calls/inspection-call.ts';
import { ACTION_NAMES, DECISION_NAMES, HOLD_REASONS } from '../../../lib/contract/rules/moderation.ts';
import { articleUrl, commentUrl, userUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { $reads, noteRead, readKey } from '../../../lib/stores/staff-reads.ts';
import { WordDifference } from '../../editor/history/WordDifference.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Time } from '../../ui/Time.tsx';
import { STATES } from '../content-kinds.ts';
import { FieldChanges, FieldList, hasChanges, type SomeFields } from './FieldChanges.tsx';
import { MarkedText } from './MarkedText.tsx';

interface Props {
  kind: 'article' | 'comment';
  id: string;
  /** Sentence of the refusal, if a decision on the item was refused. */
  refusal?: string;
  /** Text of a comment then, as its row showed it. */
  listed?: string;
  onClose(): void;
}

const TITLES = { article: '文章全文', comment: '评论全文' } as const;

/** A whole article or comment for staff: text, pictures, listed words, changes and earlier decisions. */
export default function ReadDialog({ kind, id, refusal, listed, onClose }: Props) {
  const [read, setRead] = useState<Inspection | null>(null);
  const [former] = useState(() => $reads.get()[readKey({ kind, _id: id })]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    call('staffRead', { kind, id }, { quiet: true }).then(
      (now) => {
        noteRead(now);
        setRead(now);
      },
      (error: unknown) => setProblem(isCallError(error) ? error.message : '没有加载成功，请再试一次'),
    );
  }, [kind, id]);
  return (
    <Dialog title={TITLES[kind]} isOpen onClose={onClose} size="wide">
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
      {read && <Since read={read} former={former} refusal={refusal} listed={listed} />}
      {read ? <Whole read={read} /> : problem === '' && <p className="mt-4 text-soft">加载中……</p>}
    </Dialog>
  );
}

/** Text on which staff decides: of the change that waits, or of the item. */
const decidedText = ({ title, content, fields, change }: Inspection): DifferenceProps['after'] => ({
  title,
  content,
  ...(fields ? { fields } : {}),
  ...change,
});

interface SinceProps {
  read: Inspection;
  refusal: string | undefined;
  former: Inspection | undefined;
  listed: string | undefined;
}

/** Announces what has changed since staff has read the item; nothing if it reads the same. */
function Since({ read, refusal, former, listed }: SinceProps) {
  const after = decidedText(read);
  const before = former ? decidedText(former) : listed === undefined ? null : { ...after, content: listed };
  const isChanged = former !== undefined && former.version !== read.version;
  if (refusal === undefined && !isChanged) return null;
  return (
    <div className="mt-3 grid gap-2">
      <output className="block text-vermilion">
        {refusal ?? '您看过之后有改动，请看过现在的内容再决定。'}
      </output>
      {former && former.state !== read.state && (
        <p>
          状态：{STATES[former.state]} → {STATES[read.state]}
        </p>
      )}
      {before && JSON.stringify(before) !== JSON.stringify(after) && (
        <Difference name="您看过之后的改动" before={before} after={after} titles={read.series_titles} />
      )}
    </div>
  );
}

function Whole({ read }: { read: Inspection }) {
  const {
    kind,
    title,
    content,
    marks,
    fields,
    series_titles: titles,
    pictures,
    quote,
    earlier = [],
    judged,
    change,
  } = read;
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

interface Text {
  title: string;
  content: string;
  fields?: SomeFields | undefined;
}

interface DifferenceProps {
  name: string;
  before: Text;
  after: Text & { fields?: ReadFields | undefined };
  titles: Inspection['series_titles'];
}

function Difference({ name, before, after, titles }: DifferenceProps) {
  return (
    <Part name={name}>
      {after.title !== '' && before.title !== after.title && (
        <p className="mb-2" dir="auto">
          <span className="text-soft">标题：</span>
          <del className="text-vermilion">{before.title}</del>{' '}
          <ins className="bg-wash no-underline">{after.title}</ins>
        </p>
      )}
      {before.fields && after.fields && (
        <FieldChanges before={before.fields} after={after.fields} titles={titles} />
      )}
      <WordDifference before={before.content} after={after.content} />
    </Part>
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

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section
      className="max-h-[45vh] p-4 overflow-y-auto border border-solid border-line rounded text-[0.9375rem] leading-[1.75]"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
      tabIndex={0}
      aria-label={name}
    >
      <h3 className="m-0 mb-2 text-sm text-soft font-400">{name}</h3>
      {children}
    </section>
  );
}
