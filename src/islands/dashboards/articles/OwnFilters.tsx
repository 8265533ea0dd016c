import { useState } from 'react';
import type { OwnKind } from '../../../lib/shared/own-kinds.ts';
import { cleanKeywords } from '../../../lib/shared/urls.ts';
import type { OwnSort } from '../../../lib/contract/rules/own-list.ts';
import { goTo } from '../../../lib/stores/account/address.ts';
import { isComposing } from '../../ui/form/composition.ts';
import { ownQuery, type OwnPlace } from './own-place.ts';
import { QueryLink } from '../QueryLink.tsx';

const SORTS: Record<OwnSort, string> = {
  create_time: '最近发布',
  update_time: '最近修改',
  title: '按标题',
  read_num: '阅读最多',
  comment_num: '评论最多',
};

interface Props {
  place: OwnPlace;
  kinds: readonly OwnKind[];
  usualSort: OwnSort;
  sorts: readonly OwnSort[];
}

/** Filters and sort order of the author's own articles. Their whole state is in the URL. */
export function OwnFilters({ place, kinds, usualSort, sorts }: Props) {
  const [typed, setTyped] = useState({ after: place.keywords, text: place.keywords });
  // Back and forward navigation replaces the text with the keywords in the URL.
  const text = typed.after === place.keywords ? typed.text : place.keywords;
  const go = (change: Partial<OwnPlace>) => goTo(ownQuery({ ...place, page: 1, ...change }));
  const search = () => go({ keywords: cleanKeywords(text) });
  return (
    <>
      <nav aria-label="筛选" className="flex flex-wrap gap-x-6 text-sm">
        {kinds.map(({ show, text: name }) => (
          <QueryLink
            key={show}
            query={ownQuery({ ...place, page: 1, show })}
            aria-current={show === place.show ? 'true' : undefined}
            className="nav-link min-w-11"
          >
            {name}
          </QueryLink>
        ))}
      </nav>
      <div className="mt-2 flex flex-wrap gap-3">
        <search className="flex flex-1 basis-60 gap-3">
          <input
            type="search"
            className="field min-w-0"
            aria-label="搜索标题、标签和摘要"
            placeholder="搜索标题、标签和摘要"
            maxLength={100}
            value={text}
            onChange={({ target }) => {
              setTyped({ after: place.keywords, text: target.value });
              if (target.value === '') go({ keywords: '' });
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !isComposing(event)) search();
            }}
          />
          <button type="button" className="button-quiet flex-none" onClick={search}>
            搜索
          </button>
        </search>
        <select
          aria-label="排序"
          className="field !w-auto"
          value={place.sort || usualSort}
          onChange={({ target }) => {
            const sort = sorts.find((each) => each === target.value) ?? usualSort;
            go({ sort: sort === usualSort ? '' : sort });
          }}
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {SORTS[sort]}
            </option>
          ))}
        </select>
      </div>
      {place.tag !== '' && (
        <p className="mt-2 text-sm">
          标签：<bdi>{place.tag}</bdi>
          <button type="button" className="button-text ml-2" onClick={() => go({ tag: '' })}>
            不限标签
          </button>
        </p>
      )}
    </>
  );
}

/** Returns a sentence that names the active filters of an empty list; null if only a tab is active. */
export function nothingFound(place: OwnPlace, kind: OwnKind | undefined): string | null {
  const conditions = [
    ...(place.keywords === '' ? [] : [`搜索词「${place.keywords}」`]),
    ...(place.tag === '' ? [] : [`标签「${place.tag}」`]),
    ...(kind && kind.show !== '' ? [`「${kind.text}」`] : []),
  ];
  const isPlain = place.keywords === '' && place.tag === '';
  return isPlain ? null : `没有符合${conditions.join('、')}的文章，去掉其中一项试试。`;
}
