import { useState } from 'react';
import type { Webhook } from '../../../lib/contract/calls/notice-calls.ts';
import {
  WEBHOOK_FORMATS,
  type WebhookFormat,
  type WebhookNotice,
} from '../../../lib/contract/rules/notice-kinds.ts';
import { Action } from '../Action.tsx';
import { Check, Checks } from '../form/Checks.tsx';
import { Choice } from '../form/Choice.tsx';
import { FormEnd } from '../form/FormEnd.tsx';
import { LineField } from '../form/LineField.tsx';
import { useSubmit } from '../form/use-submit.ts';
import type { WebhookCalls } from './webhook-calls.ts';

interface Props {
  name: string;
  calls: WebhookCalls;
  webhook?: Webhook;
  onSaved(): void;
  /** Closes the form, also after saving. */
  onEnd(): void;
}

const SECRET_HINTS: Record<WebhookFormat, string> = {
  json: '用来签名，对方凭它确认消息是本站发的。保存以后不再显示，请先填进对方的程序',
  wecom: '企业微信不用填',
  dingtalk: '机器人安全设置选「加签」时填，以 SEC 开头',
  feishu: '机器人安全设置选「签名校验」时填',
};

/** Returns a new secret as Standard Webhooks writes it. */
const newSecret = () => `whsec_${btoa(String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(24))))}`;

export function WebhookForm({ name, calls, webhook, onSaved, onEnd }: Props) {
  const [title, setTitle] = useState(webhook?.name ?? '');
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'wecom');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [kinds, setKinds] = useState<readonly WebhookNotice[]>(webhook?.kinds ?? calls.chosen);
  const [isOn, setOn] = useState(webhook?.is_on ?? true);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    const known = webhook ? { id: webhook.id } : {};
    const given = { ...(url.trim() === '' ? {} : { url }), ...(secret.trim() === '' ? {} : { secret }) };
    await calls.save({ ...known, ...given, name: title, format, kinds: [...kinds], is_on: isOn });
    onEnd();
    onSaved();
  });
  const stays = webhook ? '不填就不变' : '';
  return (
    <form aria-label={name} method="post" className="mt-2 mb-6 grid gap-4" onSubmit={onSubmit}>
      <LineField label="名称" value={title} onChange={setTitle} />
      <Choice label="格式" value={format} options={WEBHOOK_FORMATS} onChange={setFormat} />
      <LineField
        label="地址"
        hint={[webhook?.place, stays, '保存以后不再显示'].filter(Boolean).join('，')}
        value={url}
        onChange={setUrl}
      />
      <LineField
        label="密钥"
        hint={[SECRET_HINTS[format], stays].filter(Boolean).join('，')}
        value={secret}
        onChange={setSecret}
      />
      {format === 'json' && (
        <p className="mx--2 mt--3 text-sm">
          <Action onClick={() => setSecret(newSecret())}>生成一个密钥</Action>
        </p>
      )}
      <Checks
        legend="通知什么"
        names={calls.notices as Record<WebhookNotice, string>}
        chosen={kinds}
        onChange={setKinds}
      />
      <Check isOn={isOn} onChange={setOn}>
        启用（关掉以后不再发送，地址和密钥留着）
      </Check>
      <FormEnd problem={problem} isBusy={isBusy} onEnd={onEnd} />
    </form>
  );
}
