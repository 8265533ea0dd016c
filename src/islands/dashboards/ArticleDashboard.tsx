import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { readPage } from '../../components/urls.ts';
import { PAGE_SIZE } from '../../lib/contract/bounds.ts';
import type { ArticleListItem } from '../../lib/contract/entities.ts';
import { $query } from '../../lib/stores/address.ts';
import { call } from '../../lib/stores/api.ts';
import { createPagedList } from '../../lib/stores/paged-list.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ArticleYears } from './ArticleYears.tsx';
import { PagedSection } from './PagedSection.tsx';
import { QueryLink } from './QueryLink.tsx';
import { SignedIn } from './SignedIn.tsx';
import { island } from '../ui/island.tsx';

/** /user/list: the author's own articles, all of them, or only the public or the private ones. */
export default island(function ArticleDashboard({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>{(username) => <Articles key={username} username={username} />}</SignedIn>
  );
});

type Kind = 'all' | 'public' | 'secret';
interface Place {
  page: number;
  kind: Kind;
}

const kinds: { kind: Kind; text: string; empty: string }[] = [
  { kind: 'all', text: '全部', empty: '还没有写过文章。落笔写下第一篇吧。' },
  { kind: 'public', text: '公开', empty: '还没有公开的文章。' },
  { kind: 'secret', text: '私密', empty: '没有私密文章。写文章时打开「私密」，就只有自己看得到。' },
];

function readPlace(query: string): Place {
  const url = new URL(query, location.origin);
  const asked = url.searchParams.get('show');
  return { page: readPage(url), kind: asked === 'public' || asked === 'secret' ? asked : 'all' };
}

function queryOf({ page, kind }: Place): string {
  const query = new URLSearchParams();
  if (kind !== 'all') query.set('show', kind);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function Articles({ username }: { username: string }) {
  const place = readPlace(useStore($query));
  const { page, kind } = place;
  const list = useMemo(
    () =>
      createPagedList<ArticleListItem, Place>(PAGE_SIZE, { page: 1, kind: 'all' }, (asked) =>
        call('ownArticleList', fieldsOf(username, asked), { quiet: true }),
      ),
    [username],
  );
  const state = useStore(list.$list);
  useEffect(() => void list.show({ page, kind }), [list, page, kind]);
  const emptyText = kinds.find((each) => each.kind === state.shown?.place.kind)?.empty ?? '';
  return (
    <>
      <nav aria-label="筛选" className="flex gap-6 text-sm">
        {kinds.map((each) => (
          <QueryLink
            key={each.kind}
            query={queryOf({ page: 1, kind: each.kind })}
            aria-current={each.kind === kind ? 'true' : undefined}
            className="nav-link min-w-11"
          >
            {each.text}
          </QueryLink>
        ))}
      </nav>
      <PagedSection
        state={state}
        asked={place}
        queryOf={queryOf}
        summary={(total) => `共 ${total} 篇`}
        onRetry={() => void list.show(place)}
        onChange={list.refresh}
        empty={
          <EmptyState message={emptyText}>
            <a href="/write" className="button mt-6">
              写文章
            </a>
          </EmptyState>
        }
      >
        {(articles, removed) => <ArticleYears articles={articles} onRemoved={removed} />}
      </PagedSection>
    </>
  );
}

const fieldsOf = (username: string, { page, kind }: Place) => ({
  type: 'create_user' as const,
  content: username,
  status: 'normal' as const,
  sort: 'create_time' as const,
  ...(kind === 'all' ? {} : { secret: kind === 'secret' }),
  page,
  pageSize: PAGE_SIZE,
});
