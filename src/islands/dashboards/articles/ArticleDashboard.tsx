import type { ReactNode } from 'react';
import { ARTICLE_KINDS } from '../../../lib/shared/own-kinds.ts';
import { PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import { OWN_SORTS } from '../../../lib/contract/rules/own-list.ts';
import { island } from '../../ui/island.tsx';
import { ArticleYears } from './ArticleYears.tsx';
import { OwnList } from './OwnList.tsx';

const LIST = {
  status: 'normal',
  usualSort: 'create_time',
  sorts: OWN_SORTS,
  kinds: ARTICLE_KINDS,
  pageSize: PAGE_SIZE,
} as const;

export default island(function ArticleDashboard({ children }: { children?: ReactNode }) {
  return (
    <OwnList own={LIST} summary={(total) => `共 ${total} 篇`} waiting={children}>
      {(rows) => <ArticleYears {...rows} />}
    </OwnList>
  );
});
