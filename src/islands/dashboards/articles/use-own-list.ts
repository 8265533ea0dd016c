import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import { kindOf, type OwnKind } from '../../../lib/shared/own-kinds.ts';
import type { ArticleListItem } from '../../../lib/contract/entities.ts';
import type { OwnSort } from '../../../lib/contract/rules/own-list.ts';
import { call } from '../../../lib/stores/api.ts';
import { createPagedList } from '../../../lib/stores/paged-list.ts';
import type { OwnPlace } from './own-place.ts';

export interface OwnListKind {
  status: 'normal' | 'draft';
  usualSort: OwnSort;
  kinds: readonly OwnKind[];
  sorts: readonly OwnSort[];
  pageSize: number;
}

const FIRST: OwnPlace = { page: 1, show: '', keywords: '', tag: '', sort: '' };

export function useOwnList(username: string, own: OwnListKind, place: OwnPlace) {
  const list = useMemo(
    () =>
      createPagedList<ArticleListItem, OwnPlace>(own.pageSize, FIRST, ({ page, show, sort, keywords, tag }) =>
        call(
          'ownArticleList',
          {
            type: 'create_user',
            content: username,
            status: own.status,
            sort: sort || own.usualSort,
            ...kindOf(own.kinds, show)?.filter,
            ...(keywords === '' ? {} : { keywords }),
            ...(tag === '' ? {} : { tag }),
            page,
            pageSize: own.pageSize,
          },
          { quiet: true },
        ).then(({ result, total }) => ({
          result,
          total: own.status === 'draft' ? Math.min(total, own.pageSize) : total,
        })),
      ),
    [username, own],
  );
  const state = useStore(list.$list);
  const { page, show, keywords, tag, sort } = place;
  useEffect(
    () => void list.show({ page, show, keywords, tag, sort }),
    [list, page, show, keywords, tag, sort],
  );
  return { list, state };
}
