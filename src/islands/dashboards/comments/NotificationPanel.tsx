import { useEffect, useMemo } from 'react';
import { useStore } from '@nanostores/react';
import type { Notification } from '../../../lib/contract/calls/notification-calls.ts';
import { createNotificationBox } from '../../../lib/stores/comments/notification-box.ts';
import { QuietButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Problem } from '../../ui/form/Problem.tsx';
import { Time } from '../../ui/Time.tsx';

/** List of notifications. They become read once shown. */
export function NotificationPanel() {
  const box = useMemo(() => createNotificationBox(), []);
  const { items, cursor, isLoading, problem } = useStore(box.$list);
  const fresh = useStore(box.$fresh);
  useEffect(() => box.open(), [box]);
  const isFirst = items === null || items.length === 0;
  return (
    <>
      {items === null && problem === '' && <div className="skeleton-rows" />}
      {items?.length === 0 && (
        <EmptyState message="还没有通知。文章、评论的审核结果和举报的答复，会出现在这里。" />
      )}
      {items && items.length > 0 && (
        <ol role="list" aria-busy={isLoading}>
          {items.map((item) => (
            <Row key={item._id} item={item} isFresh={fresh.has(item._id)} />
          ))}
        </ol>
      )}
      <Problem text={problem} onRetry={() => void (isFirst ? box.load() : box.more())} />
      {cursor !== null && problem === '' && (
        <p className="py-6">
          <QuietButton aria-disabled={isLoading || undefined} onClick={() => !isLoading && void box.more()}>
            更早的通知
          </QuietButton>
        </p>
      )}
    </>
  );
}

function Row({ item, isFresh }: { item: Notification; isFresh: boolean }) {
  const { title, text, reason, path, create_time } = item;
  return (
    <li className="hairline first:border-t-0 py-4 leading-relaxed">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {path === '' ? (
          <span>{title}</span>
        ) : (
          <a href={path} className="quiet-link">
            {title}
          </a>
        )}
        <span className="text-sm text-soft">
          <Time iso={create_time} />
        </span>
        {isFresh && <span className="text-sm text-vermilion">未读</span>}
      </p>
      {text !== '' && (
        <p className="mt-1 text-sm text-soft line-clamp-2 break-words">
          <bdi>{text}</bdi>
        </p>
      )}
      {reason !== '' && (
        <p className="mt-1 text-sm break-words">
          理由：<bdi>{reason}</bdi>
        </p>
      )}
    </li>
  );
}
