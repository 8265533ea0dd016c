import type { OwnKind } from '../../../lib/shared/own-kinds.ts';
import type { OwnSort } from '../../../lib/contract/rules/own-list.ts';
import { goTo } from '../../../lib/stores/account/address.ts';
import { Select } from '../../ui/form/Choice.tsx';
import { placeQuery } from '../../ui/paged/place.ts';
import { PlaceTabs } from '../../ui/paged/PlaceTabs.tsx';
import { SearchField } from '../../ui/paged/SearchField.tsx';
import type { OwnPlace } from './own-place.ts';

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

/** Filters and sort order of the author's own articles. */
export function OwnFilters({ place, kinds, usualSort, sorts }: Props) {
  const go = (change: Partial<OwnPlace>) => goTo(placeQuery({ ...place, page: 1, ...change }));
  return (
    <>
      <PlaceTabs place={place} name="show" tabs={kinds} />
      <div className="mt-2 flex flex-wrap gap-3">
        <SearchField label="搜索标题、标签和摘要" place={place} className="flex-1 basis-60" />
        <Select
          aria-label="排序"
          className="field !w-auto"
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
    ...(place.q === '' ? [] : [`搜索词「${place.q}」`]),
    ...(place.tag === '' ? [] : [`标签「${place.tag}」`]),
    ...(kind && kind.show !== '' ? [`「${kind.text}」`] : []),
  ];
  const isPlain = place.q === '' && place.tag === '';
  return isPlain ? null : `没有符合${conditions.join('、')}的文章，去掉其中一项试试。`;
}
