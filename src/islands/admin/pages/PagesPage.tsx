import { useState } from 'react';
import type { StaffPage } from '../../../lib/contract/calls/page-calls.ts';
import { pagesAbove } from '../../../lib/contract/rules/page-tree.ts';
import { formatMinute } from '../../../lib/shared/time.ts';
import { articleUrl, editUrl, pageUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { Action } from '../../ui/Action.tsx';
import { QuietButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SortableList } from '../../ui/SortableList.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { useOrder } from '../use-order.ts';
import { place, step } from './moves.ts';
import { ChangePage, NewPage, type Suggestion } from './PageDialog.tsx';

type Row = StaffPage & { id: string };

const load = async (): Promise<Row[]> =>
  (await call('staffPages', {}, { quiet: true })).pages.map((page) => ({ ...page, id: page._id }));

export default consoleAnswer(load, (pages, reload) => <Pages loaded={pages} reload={reload} />);

const SUGGESTIONS: readonly Suggestion[] = [
  { title: '关于', slug: 'about' },
  { title: '友链', slug: 'links' },
  { title: '隐私', slug: 'privacy' },
];

const STATES: Record<StaffPage['state'], string> = {
  draft: '草稿',
  scheduled: '定时',
  published: '已发布',
  secret: '私密',
  withheld: '未公开',
};

const MOVES = (
  [
    ['up', '上移'],
    ['down', '下移'],
    ['in', '降一级'],
    ['out', '升一级'],
  ] as const
).map(([name, text]) => ({
  name,
  text,
  apply: (pages: readonly Row[], { id }: Row) => step(pages, id, name),
}));

function Pages({ loaded, reload }: { loaded: Row[]; reload(): void }) {
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  return (
    <div className="pb-16">
      <div className="flex items-center justify-between gap-4">
        <p className="meta">共 {loaded.length} 个页面</p>
        <QuietButton onClick={() => setSuggestion({ title: '', slug: '' })}>新建页面</QuietButton>
      </div>
      {loaded.length === 0 ? (
        <EmptyState message="还没有页面。">
          <p className="mt-2 text-sm text-soft leading-relaxed">
            页面不在文章列表里，有自己的地址，例如介绍自己的「关于」、放朋友网站的「友链」、说明怎样处理读者资料的「隐私」。
          </p>
          <p className="mt-4 flex flex-wrap gap-2">
            {SUGGESTIONS.map((each) => (
              <QuietButton key={each.slug} onClick={() => setSuggestion(each)}>
                写「{each.title}」
              </QuietButton>
            ))}
          </p>
        </EmptyState>
      ) : (
        <Tree loaded={loaded} reload={reload} />
      )}
      {suggestion && <NewPage {...suggestion} onClose={() => setSuggestion(null)} />}
    </div>
  );
}

/** Class of a page by the number of pages above it. */
const INDENTS = ['', 'ps-6', 'ps-12'];

const saveOrder = (order: readonly Row[]) => {
  const placed = order.map(({ id, parent }) => ({ id, parent }));
  return call('pageOrder', { pages: JSON.stringify(placed) }, { quiet: true });
};

/** The tree as a list in order. Every move is saved. */
function Tree({ loaded, reload }: { loaded: Row[]; reload(): void }) {
  const { items: pages, onOrder } = useOrder(loaded, saveOrder, reload);
  return (
    <div className="mt-2">
      <SortableList
        items={pages}
        keyOf={({ id }) => id}
        nameOf={({ title }) => `「${title || '无标题'}」`}
        classOf={(page) => INDENTS[pagesAbove(pages, page).length]}
        moves={MOVES}
        drop={(all, { id }, other) => place(all, id, { parent: other.parent, before: other.id })}
        onOrder={onOrder}
        actions={(page) => <PageActions page={page} changed={reload} />}
      >
        {(page) => <PageName page={page} />}
      </SortableList>
    </div>
  );
}

function PageName({ page: { title, slug, state, id, publish_time } }: { page: Row }) {
  return (
    <div className="flex-1 min-w-60 py-2">
      <a
        href={state === 'published' ? pageUrl(slug) : articleUrl(id)}
        className="quiet-link font-600 wrap-anywhere"
      >
        <bdi>{title || '无标题'}</bdi>
      </a>
      <span className="badge ml-2 align-middle">{STATES[state]}</span>
      <p className="text-sm text-soft wrap-anywhere">
        <bdi>/p/{slug}</bdi>
        {publish_time !== undefined && <span className="ml-3">{formatMinute(publish_time)} 发布</span>}
      </p>
    </div>
  );
}

function PageActions({ page, changed }: { page: Row; changed(): void }) {
  const [isOpen, setOpen] = useState(false);
  const { id, slug, state } = page;
  const title = page.title || '无标题';
  const remove = () =>
    askAndRemove({
      title: `删除页面「${title}」？`,
      text: '会移到作者的回收站，30 天内可以恢复。它的下级页面还在，会升到最上层。',
      remove: () => call('articleDelete', { id }),
      settled: changed,
    });
  return (
    <>
      <a href={editUrl(id)} className="action" aria-label={`编辑：${title}`}>
        编辑
      </a>
      <a
        href={state === 'published' ? pageUrl(slug) : articleUrl(id)}
        className="action"
        aria-label={`查看：${title}`}
      >
        查看
      </a>
      <Action label={`改地址：${title}`} onClick={() => setOpen(true)}>
        地址
      </Action>
      <Action isDangerous label={`删除：${title}`} onClick={() => void remove()}>
        删除
      </Action>
      {isOpen && <ChangePage page={page} onClose={() => setOpen(false)} changed={changed} />}
    </>
  );
}
