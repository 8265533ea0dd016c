import { articleUrl } from '../../lib/shared/urls.ts';
import { may, type Role } from '../../lib/contract/rules/permissions.ts';
import type { StaffArticle } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { noteListed } from '../../lib/stores/staff-reads.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { CommentName } from '../comments/CommentName.tsx';
import { Action } from '../ui/Action.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Time } from '../ui/Time.tsx';
import { inParts } from './ConsoleList.tsx';
import { stateIn } from './content-kinds.ts';
import { ContentList } from './ContentList.tsx';

const load = inParts(async ({ show, q: keywords, ...paging }) => {
  const list = await call('staffArticles', { ...paging, keywords, ...stateIn(show) }, { quiet: true });
  noteListed(
    list.result.map(({ _id, version, title, summary }) => ({
      kind: 'article',
      _id,
      version,
      title,
      content: summary,
    })),
  );
  return list;
});

/** /admin/articles: articles that are or were public. */
export default forSignedIn<{ role: Role }>(function ArticlesPage({ role }) {
  return (
    <ContentList
      kind="article"
      load={load}
      searchLabel="搜索标题、摘要和作者"
      nameOf={({ title }) => `《${title}》`}
      moreOf={(article, changed) =>
        may(role, 'picks.manage') && article.state === 'shown' && <Pin article={article} changed={changed} />
      }
    >
      {(article) => <Shown article={article} />}
    </ContentList>
  );
});

/** Pins an article to the front page, or unpins it. */
function Pin({ article, changed }: { article: StaffArticle; changed: () => void }) {
  const { _id: id, title, is_pinned: isPinned } = article;
  const work = async () => {
    const said = await call(isPinned ? 'articleUnpin' : 'articlePin', { id }).catch(() => null);
    if (said !== null) showNotice(said);
    changed();
  };
  const text = isPinned ? '取消置顶' : '置顶';
  return (
    <Action label={`${text}：《${title}》`} work={work}>
      {text}
    </Action>
  );
}

function Shown({ article }: { article: StaffArticle }) {
  const { _id, title, summary, create_time, state } = article;
  return (
    <>
      <p className="leading-relaxed">
        {state === 'shown' ? (
          <a href={articleUrl(_id)} className="quiet-link font-600">
            <bdi>{title}</bdi>
          </a>
        ) : (
          <bdi className="font-600">{title}</bdi>
        )}
      </p>
      <p className="meta">
        {article.is_pinned && <span className="badge mr-2">首页置顶</span>}
        <CommentName comment={article} />
        {' · '}
        <Time iso={create_time} />
      </p>
      <p className="text-sm text-soft line-clamp-2" dir="auto">
        {summary}
      </p>
    </>
  );
}
