import { useState } from 'react';
import { copyText } from '../../lib/stores/copy-text.ts';
import type { AccessToken } from '../../lib/contract/account-entities.ts';
import { SCOPES, type Scope } from '../../lib/contract/rules/scopes.ts';
import { dayOf, formatMinute } from '../../lib/shared/time.ts';
import { call } from '../../lib/stores/api.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Field } from '../sign/Field.tsx';
import { Action } from '../ui/Action.tsx';
import { Checks } from '../ui/form/Checks.tsx';
import { Choice } from '../ui/form/Choice.tsx';
import { Section } from '../ui/Section.tsx';
import { Time } from '../ui/Time.tsx';
import { ShownOnce } from './ShownOnce.tsx';
import { CurrentPassword, SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

function NewToken({ token, onEnd }: { token: string; onEnd(): void }) {
  const copy = () => copyText(token, '访问令牌已复制', '浏览器不让复制，请选中后自己复制');
  return (
    <ShownOnce
      label="新的访问令牌"
      advice="请现在把它存进要用它的程序。知道它的人都能用它，别放进公开的文件。"
      actions={[{ text: '复制', run: copy }]}
      onEnd={onEnd}
    >
      <p className="my-4 font-mono text-sm leading-relaxed [overflow-wrap:anywhere] select-all">{token}</p>
    </ShownOnce>
  );
}

interface Props {
  tokens: readonly AccessToken[];
  /** Scopes that the account may choose. */
  scopes: readonly Scope[];
  onChange(): void;
}

const DAYS = { 7: '7 天', 30: '30 天', 90: '90 天', 365: '一年' };

export function AccessTokenSection({ tokens, scopes, onChange }: Props) {
  const { opened, opener, close, section } = useOpened<'create'>();
  const [chosen, setChosen] = useState<Scope[]>([]);
  const [days, setDays] = useState('90');
  const [made, setMade] = useState('');
  const create = async ({ name = '', password = '', code }: Record<string, string>) => {
    const asked = { name, scopes: chosen, days, password, code };
    setMade((await call('accessTokenCreate', asked, { quiet: true })).token);
    setChosen([]);
    close();
    onChange();
  };
  const names = Object.fromEntries(scopes.map((scope) => [scope, SCOPES[scope].label])) as Record<
    Scope,
    string
  >;
  return (
    <Section id="tokens" title="访问令牌">
      <div ref={section}>
        <p className="text-sm text-soft">
          脚本和编辑器凭它替你读写，不用交出密码。只选用得到的权限，不用了就撤销。
          {tokens.length === 0 && made === '' && '现在没有访问令牌。'}
        </p>
        {made !== '' && <NewToken key={made} token={made} onEnd={() => setMade('')} />}
        {tokens.length > 0 && (
          <ul role="list" aria-label="访问令牌" className="mt-2">
            {tokens.map((token) => (
              <Row key={token.id} token={token} onChange={onChange} />
            ))}
          </ul>
        )}
        {opened === null ? (
          <QuietButton {...opener('create')} className="mt-3">
            新建访问令牌
          </QuietButton>
        ) : (
          <SettingsForm
            label="新建访问令牌"
            action="新建"
            call="accessTokenCreate"
            asksCode
            fixed={{ scopes: chosen }}
            send={create}
            onEnd={close}
          >
            {(parts) => (
              <>
                <Field
                  id={parts.idOf('name')}
                  label="名称"
                  name="name"
                  dir="auto"
                  autoComplete="off"
                  hint="用在哪里，比如「笔记同步」"
                  error={parts.errors['name']}
                />
                <Checks legend="权限" name="scopes" names={names} chosen={chosen} onChange={setChosen} />
                <p role="alert" className="field-error empty:hidden">
                  {parts.errors['scopes']}
                </p>
                <div className="my-4">
                  <Choice label="有效期" name="days" value={days} options={DAYS} onChange={setDays} />
                </div>
                <CurrentPassword {...parts} />
              </>
            )}
          </SettingsForm>
        )}
      </div>
    </Section>
  );
}

function Row({ token, onChange }: { token: AccessToken; onChange(): void }) {
  const { id, name, scopes, expire_time, last_used, last_address } = token;
  const [now] = useState(() => Date.now());
  const isOver = Date.parse(expire_time) <= now;
  const revoke = () =>
    askAndRemove({
      title: `撤销访问令牌「${name}」？`,
      text: '用它的程序马上不能再读写，撤销后不能恢复。',
      action: '撤销',
      remove: () => call('accessTokenRevoke', { id }),
      notify: () => showNotice('访问令牌已撤销'),
      settled: onChange,
    });
  return (
    <li className="flex items-center gap-x-4 py-2">
      <div className="flex-1 min-w-0">
        <p className="leading-snug [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
          {isOver && <span className="badge ml-2">已过期</span>}
        </p>
        <p className="meta">{scopes.map((scope) => SCOPES[scope].label).join(' · ')}</p>
        <p className="meta [overflow-wrap:anywhere]">
          {last_used === null ? (
            '还没有用过'
          ) : (
            <>
              最近使用 <Time iso={last_used} />
              ，来自 <bdi>{last_address}</bdi>
            </>
          )}
          {' · '}有效到 {dayOf(formatMinute(expire_time))}
        </p>
      </div>
      <Action isDangerous className="flex-none text-sm" label={`撤销访问令牌「${name}」`} work={revoke}>
        撤销
      </Action>
    </li>
  );
}
