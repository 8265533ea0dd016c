import { useEffect, useState } from 'react';
import { isOffered } from '../../../lib/client/offered.ts';
import type { Notification } from '../../../lib/contract/calls/notification-calls.ts';
import { PAGE_SIZE } from '../../../lib/contract/rules/bounds.ts';
import { articleUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { $notified } from '../../../lib/stores/comments/unread.ts';
import { Action } from '../../ui/Action.tsx';

const MAX_SHOWN = 3;

/** Unread decisions of staff on the reader's articles, until the reader has seen them. */
export function ArticleDecisions() {
  const [items, setItems] = useState<readonly Notification[]>([]);
  useEffect(() => {
    if (!isOffered('notificationList')) return undefined;
    let isOver = false;
    const unread = { kind: 'decision', unread: true, pageSize: PAGE_SIZE } as const;
    const load = () =>
      call('notificationList', unread, { quiet: true, background: true }).then(
        ({ result }) => !isOver && setItems(result.filter(({ subject }) => subject.kind === 'article')),
        () => {
          // Without the answer, the rows of the list still show the state of each article.
        },
      );
    void load();
    const stop = $notified.listen(() => void load());
    return () => {
      isOver = true;
      stop();
    };
  }, []);
  if (items.length === 0) return null;
  const dismiss = async () => {
    const done = await call('notificationRead', { ids: items.map(({ _id }) => _id) }).catch(() => null);
    if (done) setItems([]);
  };
  return (
    <section aria-label="审核结果" className="mb-4 px-4 py-2 rounded bg-wash text-sm leading-relaxed">
      <ul role="list">
        {items.slice(0, MAX_SHOWN).map(({ _id, title, text, reason, subject }) => (
          <li key={_id} className="py-1 break-words">
            <a href={articleUrl(subject.id)} className="quiet-link">
              <bdi>《{text || '无标题'}》</bdi>
            </a>
            ：{title}
            {reason !== '' && (
              <>
                。理由：<bdi>{reason}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
      <p className="flex gap-x-1 ml--2">
        <Action work={dismiss}>知道了</Action>
        <a href="/comment/list?tab=notice" className="action">
          {items.length > MAX_SHOWN ? `全部 ${items.length} 条` : '全部通知'}
        </a>
      </p>
    </section>
  );
}
