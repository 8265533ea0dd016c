import { useStore } from '@nanostores/react';
import { useEffect, useId, useMemo, useState } from 'react';
import { formatMinute } from '../../components/time.ts';
import { explain } from '../../lib/client/call-error.ts';
import type { Invitation } from '../../lib/contract/signup-calls.ts';
import { createAnswer } from '../../lib/stores/answer.ts';
import { call } from '../../lib/stores/api.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Section } from '../ui/Section.tsx';
import { useOnce } from '../ui/use-once.ts';
import { Problem } from './Problem.tsx';

const ask = () => call('invitationList', {}, { quiet: true });

/** Codes that let somebody make an account, and who came by them. */
export function Invitations() {
  const answer = useMemo(() => createAnswer(ask), []);
  const { data, problem } = useStore(answer.$answer);
  const load = () => void answer.load();
  useEffect(load, [answer]);
  return (
    <Section title="邀请码">
      <Maker onMade={load} />
      <Problem text={problem} onRetry={load} />
      <ul role="list">
        {data?.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onChange={load} />
        ))}
      </ul>
    </Section>
  );
}

function Maker({ onMade }: { onMade(): void }) {
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('7');
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();
  const make = async () => {
    setProblem('');
    try {
      await call('invitationAdd', { uses, days, note }, { quiet: true });
      setNote('');
      onMade();
    } catch (error) {
      setProblem(explain(error, '没有做成，请再试一次'));
    }
  };
  return (
    <form
      method="post"
      aria-label="做一个邀请码"
      className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void once(make);
      }}
    >
      <Line label="可以注册几个账号" value={uses} onChange={setUses} isNumber />
      <Line label="几天里有效" value={days} onChange={setDays} isNumber />
      <div className="col-span-2">
        <Line label="备注（可不填）" value={note} onChange={setNote} />
      </div>
      <p role="alert" className="col-span-2 field-error empty:hidden">
        {problem}
      </p>
      <p className="m-0 col-span-2">
        <button type="submit" className="button-quiet bg-transparent cursor-pointer" aria-disabled={isBusy}>
          做一个邀请码
        </button>
      </p>
    </form>
  );
}

function Line(props: { label: string; value: string; onChange(value: string): void; isNumber?: boolean }) {
  const id = useId();
  const { label, value, onChange, isNumber } = props;
  return (
    <div>
      <label htmlFor={id} className="block mb-1 text-sm text-soft">
        {label}
      </label>
      <input
        id={id}
        className="field"
        inputMode={isNumber ? 'numeric' : undefined}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

function Row({ invitation, onChange }: { invitation: Invitation; onChange(): void }) {
  const { id, code, note, uses, most_uses, end_time, creator, guests, is_good } = invitation;
  const [, once] = useOnce();
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
      tell: () => showNotice('已停用'),
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
          <button
            type="button"
            className="action"
            aria-label={`复制注册网址：${code}`}
            onClick={() => void once(copy)}
          >
            复制注册网址
          </button>
          <button
            type="button"
            className="action-danger"
            aria-label={`停用：${code}`}
            onClick={() => void once(end)}
          >
            停用
          </button>
        </p>
      )}
    </li>
  );
}
