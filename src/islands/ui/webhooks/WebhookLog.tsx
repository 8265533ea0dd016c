import type { LoggedDelivery } from '../../../lib/contract/calls/notice-calls.ts';
import { CONTENT_NOTICES } from '../../../lib/contract/rules/notice-kinds.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Action } from '../Action.tsx';
import { Answered } from '../form/Answered.tsx';
import { Time } from '../Time.tsx';
import type { WebhookCalls } from './webhook-calls.ts';

const STATES = { waiting: '等着发', sent: '已送到', dropped: '没有发', dead: '没有送到' } as const;
const KINDS: Readonly<Record<string, string>> = CONTENT_NOTICES;

/** The newest content events sent to a webhook, each of which can be sent again. */
export function WebhookLog({ id, calls }: { id: string; calls: WebhookCalls }) {
  const ask = () => calls.log(id);
  const retry = (delivery: string) => calls.retry(id, [delivery]);
  return (
    <Answered ask={ask}>
      {({ result }, reload) =>
        result.length === 0 ? (
          <p className="meta">最近没有发过内容的变化。</p>
        ) : (
          <ul role="list" aria-label="发送的记录">
            {result.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} retry={retry} onChange={reload} />
            ))}
          </ul>
        )
      }
    </Answered>
  );
}

interface RowProps {
  delivery: LoggedDelivery;
  retry(id: string): Promise<string>;
  onChange(): void;
}

function Row({ delivery, retry, onChange }: RowProps) {
  const { id, kind, state, tries, create_time, problem } = delivery;
  const again = async () => {
    try {
      showNotice(await retry(id));
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
          <Action work={again}>再发一次</Action>
        </p>
      )}
    </li>
  );
}
