import { useState } from 'react';
import type { Safety, TotpSetup } from '../../lib/contract/account-entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Section } from '../ui/Section.tsx';
import { AppSetup } from './AppSetup.tsx';
import { RecoveryList } from './RecoveryList.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';

interface Props {
  username: string;
  safety: Safety;
  onChange(): void;
}

/** Recommends new recovery codes below this number. */
const FEW_CODES = 3;

export function TwoStepSection({ username, safety, onChange }: Props) {
  const { opened, opener, close, section } = useOpened<'begin' | 'renew' | 'remove'>();
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { has_totp: isOn, recovery_codes: left } = safety;
  const end = () => {
    setSetup(null);
    close();
  };
  const show = (made: readonly string[]) => {
    setCodes(made);
    end();
    onChange();
  };
  const begin = async ({ password = '' }: Record<string, string>) =>
    setSetup(await call('totpBegin', { password }, { quiet: true }));
  const confirm = async (code: string) => {
    const { codes: made } = await call('totpConfirm', { ticket: setup?.ticket ?? '', code }, { quiet: true });
    showNotice('两步验证已开启，其他设备已退出登录');
    show(made);
  };
  const renew = async ({ password = '', code }: Record<string, string>) =>
    show((await call('recoveryRenew', { password, code }, { quiet: true })).codes);
  const remove = async ({ password = '', code }: Record<string, string>) => {
    await call('totpRemove', { password, code }, { quiet: true });
    showNotice('两步验证已关闭');
    setCodes(null);
    end();
    onChange();
  };

  const state = <span className={`badge ${isOn ? 'text-indigo!' : ''}`}>{isOn ? '已开启' : '未开启'}</span>;
  return (
    <Section title="两步验证" beside={state}>
      <div ref={section}>
        <p className="text-sm text-soft">
          {isOn
            ? `登录时，除了密码还要填验证器应用里的 6 位数字。恢复码还剩 ${left} 个${left < FEW_CODES ? '，最好现在重新生成' : ''}。`
            : '开启后，登录时除了密码还要填手机上验证器应用里的 6 位数字，别人知道密码也登录不了。'}
        </p>
        {safety.needs_totp && (
          <p
            role="alert"
            className="mt-2 py-2 px-3.5 border-0 border-l-2 border-solid border-vermilion bg-sunk text-sm"
          >
            站长要求站务先开启两步验证，开启之前不能使用管理功能。
          </p>
        )}
        {codes && <RecoveryList codes={codes} username={username} onEnd={() => setCodes(null)} />}
        {setup && <AppSetup setup={setup} onConfirm={confirm} onEnd={end} />}
        {opened === 'begin' && !setup && (
          <SettingsForm label="开启两步验证" action="下一步" call="totpBegin" send={begin} onEnd={end} />
        )}
        {opened === 'renew' && (
          <SettingsForm
            label="重新生成恢复码"
            action="重新生成"
            call="recoveryRenew"
            asksCode
            send={renew}
            onEnd={end}
          />
        )}
        {opened === 'remove' && (
          <SettingsForm
            label="关闭两步验证"
            action="关闭两步验证"
            isDangerous
            call="totpRemove"
            asksCode
            send={remove}
            onEnd={end}
          />
        )}
        {opened === null && (
          <p className="mt-3 flex flex-wrap gap-3">
            {isOn ? (
              <>
                <button type="button" {...opener('renew')} className="button-quiet">
                  重新生成恢复码
                </button>
                <button type="button" {...opener('remove')} className="button-quiet">
                  关闭
                </button>
              </>
            ) : (
              <button type="button" {...opener('begin')} className="button-quiet">
                开启两步验证
              </button>
            )}
          </p>
        )}
      </div>
    </Section>
  );
}
