import { useState } from 'react';
import type { PostOrigin } from '../../../lib/contract/calls/origin-calls.ts';
import { PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import { originText } from '../../../lib/contract/rules/origins.ts';
import type { List } from '../../../lib/contract/entities.ts';
import { articleUrl, userUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { SubmitButton } from '../../ui/form/FormEnd.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';

const DAYS = [0, 60, 180, 365];

/** Duties of a platform: how long addresses of posts are recorded, and the records of one account or post. */
export function Origins({ days, onChange }: { days: number; onChange(days: number): void }) {
  return (
    <Section title="平台责任" className="max-w-160">
      <Choice
        label="保存每次发布的地址和账号"
        hint="按规定要能查到文章和评论是谁、从哪里发的时候才需要。到期自动删除；改为不保存，已经保存的也会删除。只有站长能查，每次查看都有操作记录。"
        value={String(days)}
        // Integer keys are in ascending order.
        options={Object.fromEntries([...DAYS, days].map((n) => [n, n === 0 ? '不保存' : `${n} 天`]))}
        onChange={(chosen) => onChange(Number(chosen))}
      />
      {days > 0 && <Search />}
    </Section>
  );
}

function Search() {
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
            <a href={userUrl(origin.username)} className="quiet-link">
              <bdi>{origin.username}</bdi>
            </a>
            <span className="wrap-anywhere">{originText(origin.address)}</span>
            {origin.kind === 'article' ? (
              <a href={articleUrl(origin.id)} className="quiet-link">
                文章
              </a>
            ) : (
              <span>评论 {origin.id}</span>
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
