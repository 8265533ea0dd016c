import { useState } from 'react';
import { formatMinute } from '../../../lib/shared/time.ts';
import type { Invitation } from '../../../lib/contract/calls/signup-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Answered } from '../../ui/form/Answered.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { Section } from '../../ui/Section.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Action } from '../../ui/Action.tsx';

const ask = () => call('invitationList', {}, { quiet: true });

export const Invitations = () => (
  <Section title="邀请码">
    <Answered ask={ask}>
      {(invitations, reload) => (
        <>
          <Maker onMade={reload} />
          <ul role="list">
            {invitations.map((invitation) => (
              <Row key={invitation.id} invitation={invitation} onChange={reload} />
            ))}
          </ul>
        </>
      )}
    </Answered>
  </Section>
);

function Maker({ onMade }: { onMade(): void }) {
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('7');
  const [note, setNote] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    await call('invitationAdd', { uses, days, note }, { quiet: true });
    setNote('');
    onMade();
  }, '没有做成，请再试一次');
  return (
    <form
      method="post"
      aria-label="做一个邀请码"
      className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3"
      onSubmit={onSubmit}
    >
      <LineField label="可以注册几个账号" value={uses} onChange={setUses} inputMode="numeric" />
      <LineField label="几天里有效" value={days} onChange={setDays} inputMode="numeric" />
      <div className="col-span-2">
        <LineField label="备注（可不填）" value={note} onChange={setNote} />
      </div>
      <p role="alert" className="col-span-2 field-error empty:hidden">
        {problem}
      </p>
      <p className="m-0 col-span-2">
        <button type="submit" className="button-quiet" aria-disabled={isBusy}>
          做一个邀请码
        </button>
      </p>
    </form>
  );
}

function Row({ invitation, onChange }: { invitation: Invitation; onChange(): void }) {
  const { id, code, note, uses, most_uses, end_time, creator, guests, is_good } = invitation;
  const facts = [
    `用了 ${uses}/${most_uses} 次`,
    is_good ? `有效到 ${formatMinute(end_time)}` : '不能再用',
    creator === '' ? '命令行' : creator,
    note,
    guests.length > 0 ? `来的是 ${guests.join('、')}` : '',
  ];
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/signup?invite=${code}`);
    showNotice('注册的网址已复制');
  };
  const end = () =>
    askAndRemove({
      title: `停用邀请码 ${code}？`,
      text: '已经用它注册的账号不受影响。',
      action: '停用',
      notify: () => showNotice('已停用'),
      remove: () => call('invitationEnd', { id }),
      settled: onChange,
    });
  return (
    <li className="hairline py-3">
      <span className="font-600 tracking-wide">{code}</span>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {facts.filter((fact) => fact !== '').join(' · ')}
      </p>
      {is_good && (
        <p className="flex gap-1 mx--2 text-sm">
          <Action label={`复制注册网址：${code}`} work={copy}>
            复制注册网址
          </Action>
          <Action isDangerous label={`停用：${code}`} work={end}>
            停用
          </Action>
        </p>
      )}
    </li>
  );
}
