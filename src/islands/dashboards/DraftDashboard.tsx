import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { editUrl } from '../../components/urls.ts';
import { BOUNDS } from '../../lib/contract/bounds.ts';
import type { ArticleListItem } from '../../lib/contract/entities.ts';
import { call } from '../../lib/stores/api.ts';
import { createPagedList } from '../../lib/stores/paged-list.ts';
import { Time } from '../ui/Time.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ArticleActions } from './ArticleActions.tsx';
import { firstWords } from './first-words.ts';
import { PagedSection } from './PagedSection.tsx';
import { ScheduleNote } from './ScheduleNote.tsx';
import { SignedIn } from './SignedIn.tsx';
import { island } from '../ui/island.tsx';

const FIRST = { page: 1 };
const MAX = BOUNDS.ownPageSize;

/** /user/draft: the author's drafts, those edited last first. */
export default island(function DraftDashboard({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>{(username) => <Drafts key={username} username={username} />}</SignedIn>
  );
});

function Drafts({ username }: { username: string }) {
  const list = useMemo(
    () =>
      createPagedList(MAX, FIRST, () =>
        call(
          'ownArticleList',
          {
            type: 'create_user',
            content: username,
            status: 'draft',
            sort: 'update_time',
            page: 1,
            pageSize: MAX,
          },
          { quiet: true },
        ).then(({ result, total }) => ({ result, total: Math.min(total, MAX) })),
      ),
    [username],
  );
  const state = useStore(list.$list);
  useEffect(() => void list.show(FIRST), [list]);
  return (
    <PagedSection
      state={state}
      asked={FIRST}
      queryOf={() => ''}
      summary={(total) => (total === MAX ? `最近的 ${total} 篇草稿` : `共 ${total} 篇草稿`)}
      onRetry={() => void list.show(FIRST)}
      onChange={list.refresh}
      empty={
        <EmptyState message="没有草稿。写到一半的文章会留在这里。">
          <a href="/write" className="button mt-6">
            写文章
          </a>
        </EmptyState>
      }
    >
      {(drafts, removed) => (
        <ol role="list" className="mt-2">
          {drafts.map((draft) => (
            <Row key={draft._id} draft={draft} onRemoved={removed} />
          ))}
        </ol>
      )}
    </PagedSection>
  );
}

function Row({ draft, onRemoved }: { draft: ArticleListItem; onRemoved: () => void }) {
  const { _id, title, content, update_time, secret } = draft;
  const words = firstWords(content);
  return (
    // Of hundreds of rows only those in view are laid out.
    <li className="hairline py-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 [content-visibility:auto] [contain-intrinsic-size:auto_7rem]">
      <a href={editUrl(_id)} className="quiet-link col-span-2 leading-relaxed">
        <bdi className={title === '' ? 'text-soft' : 'font-600'}>{title || '无标题'}</bdi>
        {words !== '' && (
          <span className="block text-sm text-soft truncate" dir="auto">
            {words}
          </span>
        )}
      </a>
      <p className="meta">
        <Time iso={update_time} />
        {secret && <span className="badge ml-2">私密</span>}
        <ScheduleNote schedule={draft.schedule} />
      </p>
      <ArticleActions id={_id} title={title} onRemoved={onRemoved} />
    </li>
  );
}
