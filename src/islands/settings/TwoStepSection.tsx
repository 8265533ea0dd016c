import { useState } from 'react';
import type { Safety, TotpSetup } from '../../lib/contract/account-entities.ts';
import { CodeField } from '../sign/CodeForm.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { copyText } from '../../lib/stores/copy-text.ts';
import { saveFile } from '../../lib/stores/save-file.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Section } from '../ui/Section.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { ShownOnce } from './ShownOnce.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

const QrCode = lazyPart(
  () => import('./QrCode.tsx'),
  <div className="w-48 h-48 rounded bg-sunk" aria-hidden="true" />,
);

interface AppSetupProps {
  setup: TotpSetup;
  onConfirm(code: string): Promise<void>;
  onEnd(): void;
}

function AppSetup({ setup, onConfirm, onEnd }: AppSetupProps) {
  const { ticket, secret, uri } = setup;
  return (
    <div className="mt-4">
      <ol className="pl-5 grid gap-2 text-sm">
        <li>在手机上打开验证器应用，微信小程序「腾讯身份验证器」、Microsoft Authenticator 等都可以。</li>
        <li>扫描下面的二维码；扫不了就手工填入密钥。</li>
        <li>填入应用里显示的 6 位数字。</li>
      </ol>
      <div className="mt-4 grid gap-4 sm:(grid-cols-[auto_minmax(0,1fr)] items-center)">
        <QrCode text={uri} label="验证器应用的二维码" />
        <div className="min-w-0 text-sm">
          <p className="text-soft">密钥</p>
          <p className="font-mono leading-relaxed [overflow-wrap:anywhere] select-all">
            {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </p>
          <p className="mt-2">
            <a href={uri} className="inline-flex items-center min-h-11">
              在这台设备的应用里打开
            </a>
          </p>
        </div>
      </div>
      <SettingsForm
        label="验证两步验证"
        action="开启"
        call="totpConfirm"
        fixed={{ ticket }}
        send={({ code = '' }) => onConfirm(code)}
        onEnd={onEnd}
      >
        {({ idOf, errors }) => <CodeField id={idOf('code')} inputMode="numeric" error={errors['code']} />}
      </SettingsForm>
    </div>
  );
}

interface RecoveryListProps {
  codes: readonly string[];
  username: string;
  onEnd(): void;
}

function RecoveryList({ codes, username, onEnd }: RecoveryListProps) {
  const text = `墨页 ${username} 的恢复码，每个只能用一次：\n${codes.join('\n')}\n`;
  const copy = () => copyText(text, '恢复码已复制', '浏览器不让复制，请选中后自己复制');
  const save = () => saveFile(`恢复码-${username}.txt`, text, 'text/plain');
  return (
    <ShownOnce
      label="恢复码"
      advice="请把这些恢复码存在稳妥的地方。手机丢了，可以用它们代替验证码登录，每个只能用一次。"
      actions={[
        { text: '存成文件', run: save },
        { text: '复制', run: copy },
      ]}
      onEnd={onEnd}
    >
      <ul role="list" className="my-4 grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnce>
  );
}

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
                <QuietButton {...opener('renew')}>重新生成恢复码</QuietButton>
                <QuietButton {...opener('remove')}>关闭</QuietButton>
              </>
            ) : (
              <QuietButton {...opener('begin')}>开启两步验证</QuietButton>
            )}
          </p>
        )}
      </div>
    </Section>
  );
}
