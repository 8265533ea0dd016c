import { ARTICLE_KINDS, OWN_SORTS } from '../../../lib/contract/rules/list-filters.ts';
import { PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import { forSignedIn } from '../../ui/for-signed-in.tsx';
import { ArticleDecisions } from './ArticleDecisions.tsx';
import { ArticleYears } from './ArticleYears.tsx';
import { OwnList } from './OwnList.tsx';

const LIST = {
  status: 'normal',
  usualSort: 'create_time',
  sorts: OWN_SORTS,
  kinds: ARTICLE_KINDS,
  pageSize: PAGE_SIZE,
} as const;

export default forSignedIn(function ArticleDashboard({ username }) {
  return (
    <>
      <ArticleDecisions />
      <OwnList own={LIST} username={username} summary={(total) => `共 ${total} 篇`}>
        {(rows) => <ArticleYears {...rows} />}
      </OwnList>
    </>
  );
});
