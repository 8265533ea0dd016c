import { commentsUrl } from '../../lib/shared/urls.ts';
import { COMMENT_ORDERS, type CommentOrder } from '../../lib/contract/rules/bounds.ts';

const NAMES: Record<CommentOrder, string> = { newest: '最新', oldest: '最早' };

export function OrderLinks({ articleId, order }: { articleId: string; order: CommentOrder }) {
  return (
    <nav aria-label="评论顺序" className="flex gap-4 text-sm">
      {COMMENT_ORDERS.map((each) => (
        <a
          key={each}
          href={commentsUrl(articleId, 1, each)}
          rel="nofollow"
          className="quiet-link inline-flex items-center min-h-11 text-soft aria-[current=page]:(text-ink font-600)"
          aria-current={each === order ? 'page' : undefined}
        >
          {NAMES[each]}
        </a>
      ))}
    </nav>
  );
}
