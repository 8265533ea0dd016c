import { useState } from 'react';
import type { Webhook } from '../../../lib/contract/calls/notice-calls.ts';
import { WEBHOOK_FORMATS, WEBHOOK_NOTICES } from '../../../lib/contract/rules/notice-kinds.ts';
import { formatMoment } from '../../../lib/shared/time.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Action } from '../Action.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { Section } from '../Section.tsx';
import { useOnce } from '../use-once.ts';
import type { WebhookCalls } from './webhook-calls.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { WebhookLog } from './WebhookLog.tsx';
import { QuietButton } from '../Button.tsx';

interface Props {
  calls: WebhookCalls;
  webhooks: readonly Webhook[];
  onChange(): void;
}

export function Webhooks({ calls, webhooks, onChange }: Props) {
  const [isMaking, setMaking] = useState(false);
  return (
    <Section
      title="通知地址"
      beside={
        !isMaking && (
          <QuietButton className="ml-auto" onClick={() => setMaking(true)}>
            添加
          </QuietButton>
        )
      }
    >
      {isMaking && (
        <WebhookForm name="添加通知地址" calls={calls} onSaved={onChange} onEnd={() => setMaking(false)} />
      )}
      {webhooks.length === 0 && !isMaking && <EmptyState message={calls.empty} />}
      <ul role="list">
        {webhooks.map((webhook) => (
          <Row key={webhook.id} calls={calls} webhook={webhook} onChange={onChange} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ calls, webhook, onChange }: { calls: WebhookCalls; webhook: Webhook; onChange(): void }) {
  const { id, name, format, place, kinds, is_on, failing } = webhook;
  const [isEditing, setEditing] = useState(false);
  const [hasLog, setLog] = useState(false);
  const [isBusy, once] = useOnce();
  const test = async () => {
    try {
      showNotice(await calls.test(id));
    } catch {
      // The call has already shown the error.
    }
  };
  const remove = () =>
    askAndRemove({
      title: `删除「${name}」？`,
      text: '等着发到那里的通知也一并丢弃。',
      remove: () => calls.remove(id),
      settled: onChange,
    });
  const told = kinds.map((kind) => WEBHOOK_NOTICES[kind]).join('、');
  return (
    <li className="hairline py-4">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <span className="flex-1 min-w-0 text-lg font-600 wrap-anywhere">{name}</span>
        {!is_on && <span className="meta whitespace-nowrap">已停用</span>}
      </div>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {WEBHOOK_FORMATS[format]} · {place} · {told === '' ? '什么也不通知' : told}
      </p>
      {failing && (
        <p className="mt-1 text-sm text-vermilion wrap-anywhere">
          没有送到：{failing.problem}。试了 {failing.tries} 次，{failing.waiting} 条等着，
          {formatMoment(failing.next_time)} 再试。
        </p>
      )}
      <p className="flex flex-wrap gap-1 mx--2 text-sm">
        <Action label={`修改「${name}」`} aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
          修改
        </Action>
        <Action label={`给「${name}」发一条测试`} aria-disabled={isBusy} onClick={() => void once(test)}>
          {isBusy ? '正在发…' : '发一条测试'}
        </Action>
        <Action label={`发给「${name}」的记录`} aria-expanded={hasLog} onClick={() => setLog(!hasLog)}>
          记录
        </Action>
        <Action isDangerous label={`删除「${name}」`} work={remove}>
          删除
        </Action>
      </p>
      {hasLog && <WebhookLog id={id} calls={calls} />}
      {isEditing && (
        <WebhookForm
          name={`修改「${name}」`}
          calls={calls}
          webhook={webhook}
          onSaved={onChange}
          onEnd={() => setEditing(false)}
        />
      )}
    </li>
  );
}
