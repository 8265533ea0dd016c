import type { LoggedDelivery } from '../../../lib/contract/calls/notice-calls.ts';
import { CONTENT_NOTICES } from '../../../lib/contract/rules/notice-kinds.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Action } from '../../ui/Action.tsx';
import { Answered } from '../../ui/form/Answered.tsx';
import { Time } from '../../ui/Time.tsx';
import { useOnce } from '../../ui/use-once.ts';

const SHOWN = 20;
const STATES = { waiting: '等着发', sent: '已送到', dropped: '没有发', dead: '没有送到' } as const;
const KINDS: Readonly<Record<string, string>> = CONTENT_NOTICES;

/** The newest content events sent to a webhook, each of which can be sent again. */
export function WebhookLog({ id }: { id: string }) {
  const ask = () => call('webhookLog', { id, page: 1, pageSize: SHOWN }, { quiet: true });
  return (
    <Answered ask={ask}>
      {({ result }, reload) =>
        result.length === 0 ? (
          <p className="meta">最近没有发过内容的变化。</p>
        ) : (
          <ul role="list" aria-label="发送的记录">
            {result.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} onChange={reload} />
            ))}
          </ul>
        )
      }
    </Answered>
  );
}

function Row({ delivery, onChange }: { delivery: LoggedDelivery; onChange(): void }) {
  const { id, kind, state, tries, create_time, problem } = delivery;
  const [isBusy, once] = useOnce();
  const again = async () => {
    try {
      showNotice(await call('deliveryRetry', { ids: [id] }));
    } catch {
      // The call has already shown the error.
      return;
    }
    onChange();
  };
  return (
    <li className="hairline py-3">
      <p className="text-sm text-soft wrap-anywhere">
        <Time iso={create_time} /> · {KINDS[kind] ?? kind} · {STATES[state]}
        {tries > 1 && ` · 试了 ${tries} 次`}
        {problem !== '' && ` · ${problem}`}
      </p>
      {state !== 'waiting' && (
        <p className="flex gap-1 mx--2 text-sm">
          <Action aria-disabled={isBusy} onClick={() => void once(again)}>
            再发一次
          </Action>
        </p>
      )}
    </li>
  );
}
