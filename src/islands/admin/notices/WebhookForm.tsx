import { useState } from 'react';
import type { Webhook } from '../../../lib/contract/calls/notice-calls.ts';
import {
  WEBHOOK_FORMATS,
  WEBHOOK_NOTICES,
  type WebhookFormat,
  type WebhookNotice,
} from '../../../lib/contract/rules/notice-kinds.ts';
import { call } from '../../../lib/stores/api.ts';
import { Check, Checks } from '../../ui/form/Checks.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';

interface Props {
  name: string;
  webhook?: Webhook;
  onSaved(): void;
  /** Closes the form, also after saving. */
  onEnd(): void;
}

const SECRET_HINTS: Record<WebhookFormat, string> = {
  json: '用来签名，对方凭它确认消息是本站发的，可以自己编一串；也可以是 whsec_ 加 base64',
  wecom: '企业微信不用填',
  dingtalk: '机器人安全设置选「加签」时填，以 SEC 开头',
  feishu: '机器人安全设置选「签名校验」时填',
};

export function WebhookForm({ name, webhook, onSaved, onEnd }: Props) {
  const [title, setTitle] = useState(webhook?.name ?? '');
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'wecom');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [kinds, setKinds] = useState<readonly WebhookNotice[]>(webhook?.kinds ?? ['held', 'report']);
  const [isOn, setOn] = useState(webhook?.is_on ?? true);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    const known = webhook ? { id: webhook.id } : {};
    const given = { ...(url.trim() === '' ? {} : { url }), ...(secret.trim() === '' ? {} : { secret }) };
    await call(
      'webhookSave',
      { ...known, ...given, name: title, format, kinds: [...kinds], is_on: isOn },
      { quiet: true },
    );
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
      <Checks legend="通知什么" names={WEBHOOK_NOTICES} chosen={kinds} onChange={setKinds} />
      <Check isOn={isOn} onChange={setOn}>
        启用（关掉以后不再发送，地址和密钥留着）
      </Check>
      <FormEnd problem={problem} isBusy={isBusy} onEnd={onEnd} />
    </form>
  );
}
