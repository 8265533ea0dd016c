import { useEffect, useRef, useState } from 'react';
import { articleUrl } from '../../lib/shared/urls.ts';
import type { HeldItem } from '../../lib/contract/calls/moderation-calls.ts';
import type { Takedown } from '../../lib/contract/calls/review-calls.ts';
import { DECISION_NAMES, HOLD_REASONS } from '../../lib/contract/rules/moderation.ts';
import { call } from '../../lib/stores/api.ts';
import { decideChanges, moderate } from '../../lib/stores/moderate.ts';
import { noteListed } from '../../lib/stores/staff-reads.ts';
import { CommentName } from '../comments/CommentName.tsx';
import { Action } from '../ui/Action.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { PagedList } from '../ui/paged/PagedList.tsx';
import { PlaceTabs } from '../ui/paged/PlaceTabs.tsx';
import { SelectBox, SelectionBar } from '../ui/paged/Selection.tsx';
import type { Asked } from '../ui/paged/place.ts';
import { Time } from '../ui/Time.tsx';
import { useOnce } from '../ui/use-once.ts';
import { ChangedMark, ChosenMark } from './read/ChangedMark.tsx';
import { ReadAction, Reader } from './read/Reader.tsx';
import { PlainText } from './PlainText.tsx';

const FILTERS = { kind: ['article', 'comment', 'change'] } as const;
const TABS = [
  { show: '', text: '全部' },
  { show: 'article', text: '文章' },
  { show: 'comment', text: '评论' },
  { show: 'change', text: '批准后有改动' },
];

const load = async (asked: Asked<typeof FILTERS>) => {
  const list = await call('heldList', asked, { quiet: true });
  noteListed(list.result);
  return list;
};

/** /admin/held: pending content, oldest first. */
export default forSignedIn(function HeldPage() {
  return (
    <PagedList
      filters={FILTERS}
      load={load}
      head={(place, refresh) => (
        <>
          <PlaceTabs place={place} name="kind" tabs={TABS} />
          <Reader
            isLive
            refresh={refresh}
            decisions={(read) => {
              const is_change = read.state === 'shown' && read.change !== undefined;
              if (read.state !== 'held' && !is_change) return null;
              return <Decisions items={[{ ...read, is_change }]} onChange={refresh} />;
            }}
          />
        </>
      )}
      summary={(total) => `${total} 项等待审核`}
      empty={() => <EmptyState message="没有等待审核的内容。" />}
    >
      {(items, { changed, selection }) => (
        <>
          <SelectionBar items={items} idOf={({ _id }) => _id} selection={selection} unit="项">
            {(chosen) => (
              <>
                <Decisions items={chosen} onChange={changed} />
                <ChosenMark items={chosen} />
              </>
            )}
          </SelectionBar>
          <ol role="list">
            {items.map((item) => (
              <li key={item._id} className="hairline grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 py-3">
                <SelectBox id={item._id} title={item.title} selection={selection} />
                <Item item={item} onChange={changed} />
              </li>
            ))}
          </ol>
        </>
      )}
    </PagedList>
  );
});

function Item({ item, onChange }: { item: HeldItem; onChange: () => void }) {
  const {
    kind,
    author,
    author_name,
    title,
    article_id,
    content,
    reasons,
    words = [],
    create_time,
    last,
  } = item;
  return (
    <article aria-label={kind === 'comment' ? `${author}的评论` : `文章《${title}》`} className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-2 leading-relaxed">
        <CommentName comment={{ create_user: author, author_name }} />
        <span className="text-sm text-soft">
          <Time iso={create_time} />
        </span>
        {reasons.map((reason) => (
          <span key={reason} className="badge">
            {HOLD_REASONS[reason]}
            {reason === 'word' && words.length > 0 && `：${words.join('、')}`}
          </span>
        ))}
      </p>
      {last && (
        <p className="text-sm text-soft">
          上次{DECISION_NAMES[last.state]}，<Time iso={last.create_time} />
          {last.note !== '' && <bdi>：{last.note}</bdi>}
        </p>
      )}
      {kind === 'article' ? (
        <>
          <p className="font-600">
            <bdi>{title || '无标题'}</bdi>
          </p>
          <p className="text-sm text-soft line-clamp-3" dir="auto">
            {content}
          </p>
        </>
      ) : (
        <>
          <PlainText text={content} />
          <p className="text-sm">
            <a href={articleUrl(article_id)} className="text-soft no-underline hover:text-indigo">
              <bdi>《{title || '无标题'}》</bdi>
            </a>
          </p>
        </>
      )}
      <ChangedMark items={[item]} />
      <p className="flex flex-wrap gap-x-2 ml--2 text-sm">
        <ReadAction kind={kind} _id={item._id} name={`${author}的${kind === 'article' ? '文章' : '评论'}`} />
        <Decisions items={[item]} onChange={onChange} />
      </p>
    </article>
  );
}

type DecidedItem = Pick<HeldItem, 'kind' | '_id' | 'version' | 'author' | 'is_change'>;

const ACTIONS: readonly [action: Takedown, name: string, done: string][] = [
  ['restore', '通过', '已通过'],
  ['hide', '不予通过', '未予通过'],
  ['delete', '删除', '已删除'],
];

/** Moderation buttons. Each decision can be undone while its toast is shown. */
function Decisions({ items, onChange }: { items: readonly DecidedItem[]; onChange: () => void }) {
  const [isBusy, once] = useOnce();
  const [note, setNote] = useState('');
  const [asking, setAsking] = useState<Takedown | null>(null);
  const reason = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asking) reason.current?.focus();
  }, [asking]);
  const decide = (action: Takedown, done: string) =>
    once(async () => {
      const changes = items.filter(({ is_change }) => is_change);
      const rest = items.filter(({ is_change }) => !is_change);
      if (rest.length > 0) await moderate(rest, { action, note, back: 'hold', done, changed: onChange });
      if (changes.length > 0) await decideChanges(changes, { action, note, done, changed: onChange });
      setAsking(null);
      setNote('');
    });
  const whose =
    items.length === 1
      ? `${items[0]?.author ?? ''}的${items[0]?.kind === 'article' ? '文章' : '评论'}`
      : '选中的各项';
  return (
    <>
      {ACTIONS.filter(([action]) => action !== 'delete' || items.every(({ is_change }) => !is_change)).map(
        ([action, name, done]) => (
          <Action
            key={action}
            isDangerous={action === 'delete'}
            disabled={isBusy}
            label={`${name}：${whose}`}
            aria-expanded={action === 'restore' ? undefined : asking === action}
            onClick={() =>
              action === 'restore' ? void decide(action, done) : setAsking(asking === action ? null : action)
            }
          >
            {name}
          </Action>
        ),
      )}
      {asking && (
        <form
          className="flex flex-wrap items-center gap-2 w-full py-2"
          onSubmit={(event) => {
            event.preventDefault();
            void decide(asking, ACTIONS.find(([action]) => action === asking)?.[2] ?? '');
          }}
        >
          <input
            ref={reason}
            className="field flex-1 min-w-40"
            aria-label="理由，作者会看到"
            placeholder="理由，作者会看到（可不填）"
            maxLength={200}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          <button type="submit" className="button-quiet flex-none" disabled={isBusy}>
            {asking === 'delete' ? '删除' : '不予通过'}
          </button>
        </form>
      )}
    </>
  );
}
