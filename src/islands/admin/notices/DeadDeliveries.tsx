import type { DeadDelivery } from '../../../lib/contract/calls/notice-calls.ts';
import { USER_NOTICES, WEBHOOK_NOTICES } from '../../../lib/contract/rules/notice-kinds.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { Action } from '../../ui/Action.tsx';

interface Props {
  deliveries: readonly DeadDelivery[];
  /** Number of all failed deliveries; `deliveries` holds the newest. */
  total: number;
  onChange(): void;
}

const KINDS: Record<string, string> = { ...USER_NOTICES, ...WEBHOOK_NOTICES, mail: '邮件' };
const titleOf = ({ title, kind }: DeadDelivery) => (title === '' ? (KINDS[kind] ?? '通知') : title);

/** Notifications whose delivery was aborted after a day. Staff can retry or discard each. */
export function DeadDeliveries({ deliveries, total, onChange }: Props) {
  const [isBusy, once] = useOnce();
  if (deliveries.length === 0) return null;
  const retry = (ids: string[]) => async () => {
    try {
      showNotice(await call('deliveryRetry', { ids }));
    } catch {
      return;
    }
    onChange();
  };
  const discard = (ids: string[], title: string) => () =>
    askAndRemove({
      title,
      text: '丢弃以后不能再发。',
      action: '丢弃',
      notify: () => showNotice('已丢弃'),
      remove: () => call('deliveryDiscard', { ids }),
      settled: onChange,
    });
  const all = deliveries.map(({ id }) => id);
  return (
    <Section
      title={`没能送到的通知（${total}）`}
      beside={
        <p className="m-0 ml-auto mr--2 flex gap-1 text-sm">
          <Action aria-disabled={isBusy} onClick={() => void once(retry(all))}>
            全部再试
          </Action>
          <Action isDangerous onClick={() => void once(discard(all, `丢弃这 ${all.length} 条通知？`))}>
            全部丢弃
          </Action>
        </p>
      }
    >
      <ul role="list">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="hairline py-3">
            <div className="flex flex-wrap items-baseline gap-x-4">
              <span className="flex-1 min-w-0 wrap-anywhere">{titleOf(delivery)}</span>
              <span className="meta">
                <Time iso={delivery.time} />
              </span>
            </div>
            <p className="mt-1 text-sm text-soft wrap-anywhere">
              {delivery.lane === 'mail' ? '邮件' : '通知地址'}
              {delivery.target !== '' && ` · ${delivery.target}`} · 试了 {delivery.tries} 次 ·{' '}
              {delivery.problem}
            </p>
            <p className="flex gap-1 mx--2 text-sm">
              <Action
                label={`再试：${titleOf(delivery)}`}
                aria-disabled={isBusy}
                onClick={() => void once(retry([delivery.id]))}
              >
                再试
              </Action>
              <Action
                isDangerous
                label={`丢弃：${titleOf(delivery)}`}
                onClick={() => void once(discard([delivery.id], '丢弃这条通知？'))}
              >
                丢弃
              </Action>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
