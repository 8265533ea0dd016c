import { useMemo, type ReactNode } from 'react';
import { kindOf, type OwnKind, type OwnSort } from '../../../lib/contract/rules/list-filters.ts';
import { goTo } from '../../../lib/stores/account/address.ts';
import { Select } from '../../ui/form/Choice.tsx';
import { placeQuery, type Asked } from '../../ui/paged/place.ts';
import { PlaceTabs } from '../../ui/paged/PlaceTabs.tsx';
import { SearchField } from '../../ui/paged/SearchField.tsx';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import type { ArticleListItem } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { ask } from '../../../lib/stores/ask.ts';
import { deleteArticles, deletionText } from '../../../lib/stores/trash.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PagedList, type ListContext } from '../../ui/paged/PagedList.tsx';
import { SelectionBar, type Selection } from '../../ui/paged/Selection.tsx';
import { OWN_FILTERS, type OwnPlace } from './own-place.ts';
import { BulkMenu } from './BulkMenu.tsx';
import { TextButton } from '../../ui/Button.tsx';

const SORTS: Record<OwnSort, string> = {
  create_time: '最近发布',
  update_time: '最近修改',
  title: '按标题',
  read_num: '阅读最多',
  comment_num: '评论最多',
};

interface OwnFiltersProps {
  place: OwnPlace;
  kinds: readonly OwnKind[];
  usualSort: OwnSort;
  sorts: readonly OwnSort[];
}

/** Filters and sort order of the author's own articles. */
function OwnFilters({ place, kinds, usualSort, sorts }: OwnFiltersProps) {
  const go = (change: Partial<OwnPlace>) => goTo(placeQuery({ ...place, page: 1, ...change }));
  return (
    <>
      <PlaceTabs place={place} name="show" tabs={kinds} />
      <div className="mt-2 flex gap-2 sm:gap-3">
        <SearchField label="搜索标题、标签和摘要" place={place} className="flex-1 min-w-0 max-sm:gap-2" />
        <Select
          aria-label="排序"
          className="field flex-none !w-auto max-sm:px-2"
          value={place.sort || usualSort}
          onChange={(sort) => go({ sort: sort === usualSort ? '' : sort })}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {SORTS[sort]}
            </option>
          ))}
        </Select>
      </div>
      {place.tag !== '' && (
        <p className="mt-2 text-sm">
          标签：<bdi>{place.tag}</bdi>
          <TextButton className="ml-2" onClick={() => go({ tag: '' })}>
            不限标签
          </TextButton>
        </p>
      )}
    </>
  );
}

/** Returns a sentence that names the active filters of an empty list; null if only a tab is active. */
function nothingFound(place: OwnPlace, kind: OwnKind | undefined): string | null {
  const conditions = [
    ...(place.q === '' ? [] : [`搜索词「${place.q}」`]),
    ...(place.tag === '' ? [] : [`标签「${place.tag}」`]),
    ...(kind && kind.show !== '' ? [`「${kind.text}」`] : []),
  ];
  const isPlain = place.q === '' && place.tag === '';
  return isPlain ? null : `没有符合${conditions.join('、')}的文章，去掉其中一项试试。`;
}

interface OwnListKind {
  status: 'normal' | 'draft';
  usualSort: OwnSort;
  kinds: readonly OwnKind[];
  sorts: readonly OwnSort[];
  pageSize: number;
}

export interface OwnRows extends Omit<ListContext<OwnPlace>, 'total'> {
  articles: readonly ArticleListItem[];
}

interface Props {
  own: OwnListKind;
  username: string;
  summary: (total: number) => string;
  children: (rows: OwnRows) => ReactNode;
}

/** List of the author's own articles with search, filters, sort orders and bulk actions. */
export function OwnList({ own, username, summary, children }: Props) {
  const load = useMemo(() => loaderOf(username, own), [username, own]);
  return (
    <PagedList
      filters={OWN_FILTERS}
      pageSize={own.pageSize}
      load={load}
      head={(place) => <OwnFilters place={place} {...own} />}
      summary={summary}
      empty={(place) => {
        const kind = kindOf(own.kinds, place.show);
        return (
          <EmptyState message={nothingFound(place, kind) ?? kind?.empty ?? ''}>
            <a href="/write" className="button mt-6">
              写文章
            </a>
          </EmptyState>
        );
      }}
    >
      {(articles, { changed, place, selection, total }) => (
        <>
          <SelectionBar
            items={articles}
            idOf={({ _id }) => _id}
            selection={selection}
            unit="篇"
            whole={{ total, load: () => idsOf(load, place) }}
          >
            {(_, ids) => (
              <BulkActions
                username={username}
                chosen={ids}
                selection={selection}
                status={own.status}
                onChange={changed}
              />
            )}
          </SelectionBar>
          {children({ articles, changed, place, selection })}
        </>
      )}
    </PagedList>
  );
}

const loaderOf =
  (username: string, { status, usualSort, kinds }: OwnListKind) =>
  async ({ page, pageSize, show, q: keywords, tag, sort }: Asked<typeof OWN_FILTERS>) => {
    const isDraft = status === 'draft';
    const { result, total } = await call(
      'ownArticleList',
      {
        type: 'create_user',
        content: username,
        status,
        sort: sort || usualSort,
        ...kindOf(kinds, show)?.filter,
        ...(keywords === '' ? {} : { keywords }),
        ...(tag === '' ? {} : { tag }),
        // Drafts are all on one page.
        page: isDraft ? 1 : page,
        pageSize,
      },
      { quiet: true },
    );
    return { result, total: isDraft ? Math.min(total, pageSize) : total };
  };

/** Ids of all articles of a list, on every page. */
async function idsOf(load: ReturnType<typeof loaderOf>, place: OwnPlace): Promise<string[]> {
  const ids = new Set<string>();
  const pageSize = BOUNDS.ownPageSize;
  for (let page = 1; ; page++) {
    const { result, total } = await load({ ...place, page, pageSize });
    for (const { _id } of result) ids.add(_id);
    if (page * pageSize >= total) return [...ids];
  }
}

interface ActionProps {
  username: string;
  chosen: readonly string[];
  selection: Selection;
  status: 'normal' | 'draft';
  /** Called after articles were removed, changed or restored. */
  onChange: () => void;
}

function BulkActions({ username, chosen, selection, status, onChange }: ActionProps) {
  const leave = (ids: readonly string[]) => selection.choose(ids, false);
  const remove = async () => {
    const title = `删除选中的 ${chosen.length} 篇文章？`;
    if (!(await ask({ title, text: deletionText(), action: '删除', isDestructive: true }))) return;
    leave(await deleteArticles(chosen, onChange));
  };
  return <BulkMenu {...{ username, status, chosen, onChange }} onRemove={remove} onLeave={leave} />;
}
