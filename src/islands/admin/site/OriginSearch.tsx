import { useState } from 'react';
import type { PostOrigin } from '../../../lib/contract/calls/origin-calls.ts';
import { PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import { originText } from '../../../lib/contract/rules/origins.ts';
import type { List } from '../../../lib/contract/entities.ts';
import { articleUrl, userUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { LineField } from '../../ui/form/LineField.tsx';
import { SubmitButton } from '../../ui/form/FormEnd.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Time } from '../../ui/Time.tsx';

/** Finds the recorded origins of one account or post. */
export function OriginSearch() {
  const [keywords, setKeywords] = useState('');
  const [found, setFound] = useState<List<PostOrigin> | null>(null);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    setFound(await call('postOrigins', { keywords, page: 1, pageSize: PAGE_SIZE }, { quiet: true }));
  }, '没能查到，请再试一次');
  return (
    <>
      <form
        aria-label="查发布地址"
        method="post"
        className="mt-5 flex flex-wrap items-end gap-3"
        onSubmit={onSubmit}
      >
        <div className="flex-1 min-w-52">
          <LineField
            label="用户名、地址，或文章、评论的编号"
            problem={problem}
            value={keywords}
            onChange={setKeywords}
          />
        </div>
        <SubmitButton action="查找" busy="正在查找…" isBusy={isBusy} className="button-quiet flex-none" />
      </form>
      <div aria-live="polite">{found && <Found found={found} />}</div>
    </>
  );
}

function Found({ found: { result, total } }: { found: List<PostOrigin> }) {
  if (total === 0) return <p className="mt-3 text-soft">没有这样的记录。</p>;
  return (
    <>
      <p className="meta mt-3">
        共 {total} 条{total > result.length && `，下面是最近 ${result.length} 条`}
      </p>
      <ol role="list">
        {result.map((origin) => (
          <li
            key={`${origin.id} ${origin.create_time}`}
            className="hairline py-2 text-sm flex flex-wrap gap-x-3"
          >
            {origin.username === '' ? (
              <span>访客</span>
            ) : (
              <a href={userUrl(origin.username)} className="quiet-link">
                <bdi>{origin.username}</bdi>
              </a>
            )}
            <span className="wrap-anywhere">{originText(origin.address)}</span>
            {origin.kind === 'article' ? (
              <a href={articleUrl(origin.id)} className="quiet-link">
                文章
              </a>
            ) : (
              <span>
                {origin.kind === 'comment' ? '评论' : '友链申请'} {origin.id}
              </span>
            )}
            <span className="text-soft">
              <Time iso={origin.create_time} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
