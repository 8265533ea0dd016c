import { isOffered } from '../../lib/client/offered.ts';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import type { TrashedArticle } from '../../lib/contract/entities.ts';
import { DAY_MS } from '../../lib/contract/rules/units.ts';
import { call } from '../../lib/stores/api.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { restoreArticle } from '../../lib/stores/trash.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { PagedList } from '../ui/paged/PagedList.tsx';
import type { Asked } from '../ui/paged/place.ts';
import { Time } from '../ui/Time.tsx';
import { firstWords } from '../../lib/shared/first-words.ts';
import { Action } from '../ui/Action.tsx';

const FOR_GOOD = '正文、评论和未发布的修改都会消失，不能再恢复。';

const FILTERS = {};

const load = (asked: Asked<typeof FILTERS>) => call('trashList', asked, { quiet: true });

/** /user/trash: articles that the author has deleted in the last 30 days. */
export default forSignedIn(function TrashDashboard() {
  if (!isOffered('trashRestore')) return <EmptyState message="这个网站的服务器没有回收站。" />;
  return (
    <PagedList
      filters={FILTERS}
      load={load}
      summary={(total) => `共 ${total} 篇，删除满 ${BOUNDS.trashDays} 天后彻底消失`}
      empty={() => (
        <EmptyState message="回收站是空的。删除的文章会在这里留 30 天。">
          <a href="/user/list" className="button mt-6">
            我的文章
          </a>
        </EmptyState>
      )}
    >
      {(articles, { changed, place, total }) => (
        <>
          <ol role="list" className="mt-2">
            {articles.map((article) => (
              <Row key={article._id} article={article} onChanged={changed} />
            ))}
          </ol>
          {place.page === 1 && articles[0] && (
            <EmptyTrash total={total} until={articles[0].removed_time} onChanged={changed} />
          )}
        </>
      )}
    </PagedList>
  );
});

/** Days until an article is purged, rounded up, at least 1. */
const daysLeft = (purgeTime: string) => Math.max(1, Math.ceil((Date.parse(purgeTime) - Date.now()) / DAY_MS));

function Row({ article, onChanged }: { article: TrashedArticle; onChanged: () => void }) {
  const { _id, title, content, former_status, secret, removed_time, purge_time } = article;
  const name = title || '无标题';
  const words = firstWords(content);
  const restore = async () => {
    await restoreArticle(_id);
    // A refused restore also means that the article is no longer in the trash.
    onChanged();
  };
  const purge = () =>
    askAndRemove({
      title: `永久删除《${name}》？`,
      text: FOR_GOOD,
      action: '永久删除',
      remove: () => call('trashPurge', { id: _id }),
      settled: onChanged,
    });
  return (
    <li className="hairline py-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
      <p className="col-span-2 leading-relaxed">
        <bdi className={title === '' ? 'text-soft' : 'font-600'}>{name}</bdi>
        {former_status === 'draft' && <span className="badge ml-2">草稿</span>}
        {secret && <span className="badge ml-2">私密</span>}
        {words !== '' && (
          <span className="block text-sm text-soft truncate" dir="auto">
            {words}
          </span>
        )}
      </p>
      <p className="meta">
        <Time iso={removed_time} />
        删除，还剩 {daysLeft(purge_time)} 天
      </p>
      <p className="flex gap-1 mr--2 text-sm whitespace-nowrap">
        <Action label={`恢复《${name}》`} work={restore}>
          恢复
        </Action>
        <Action label={`永久删除《${name}》`} isDangerous work={purge}>
          永久删除
        </Action>
      </p>
    </li>
  );
}

interface EmptyTrashProps {
  total: number;
  /**
   * Deletion time of the topmost article. Articles deleted later are not shown here and stay in the trash.
   */
  until: string;
  onChanged: () => void;
}

function EmptyTrash({ total, until, onChanged }: EmptyTrashProps) {
  const empty = () =>
    askAndRemove({
      title: `清空回收站里的 ${total} 篇？`,
      text: FOR_GOOD,
      action: '清空',
      notify: () => showNotice('回收站已清空'),
      remove: () => call('trashEmpty', { until }),
      settled: onChanged,
    });
  return (
    <p className="mt-4 text-right text-sm">
      <Action isDangerous work={empty}>
        清空回收站
      </Action>
    </p>
  );
}
