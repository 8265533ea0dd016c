import type { TotpSetup } from '../../lib/contract/account-entities.ts';
import { CodeField } from '../sign/CodeForm.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { SettingsForm } from './SettingsForm.tsx';

const QrCode = lazyPart(
  () => import('./QrCode.tsx'),
  <div className="w-48 h-48 rounded bg-sunk" aria-hidden="true" />,
);

interface Props {
  setup: TotpSetup;
  onConfirm(code: string): Promise<void>;
  onEnd(): void;
}

export function AppSetup({ setup, onConfirm, onEnd }: Props) {
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
