import { useEffect, useState } from 'react';
import type { BackupState } from '../../../lib/contract/calls/setting-calls.ts';
import { formatMinute } from '../../../lib/shared/time.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { CurrentPassword, Proofs, SettingsForm } from '../../settings/SettingsForm.tsx';
import { Action } from '../../ui/Action.tsx';
import { QuietButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Answered } from '../../ui/form/Answered.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { useOnce } from '../../ui/use-once.ts';
import type { Safety } from './settings-page.tsx';
import { sizeOf } from './size-of.ts';

const POLL_INTERVAL_MS = 2_000;
const ask = () => call('backupState', {}, { quiet: true });

/** Archives at the destination. Asks again while a backup or a check is running. */
export const Archives = ({ safety }: { safety: Safety }) => (
  <Answered ask={ask}>{(state, reload) => <List {...{ state, reload, safety }} />}</Answered>
);

function List({ state, reload, safety }: { state: BackupState; reload(): void; safety: Safety }) {
  const { items, problem, failure, is_running, next_time, checking, check } = state;
  const [wanted, setWanted] = useState<string | null>(null);
  const [isBusy, once] = useOnce();
  useEffect(() => {
    if (!is_running && checking === '') return undefined;
    const timer = setTimeout(reload, POLL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [is_running, checking, reload]);
  // A failure is shown as a toast; the list then shows what is stored.
  const begin = (work: () => Promise<string>) =>
    once(async () => {
      await work().then(showNotice, () => null);
      reload();
    });
  return (
    <Section title="已有的备份">
      {problem !== '' && (
        <p role="alert" className="text-sm text-vermilion wrap-anywhere">
          看不到存放的地方：{problem}
        </p>
      )}
      {failure !== '' && !is_running && (
        <p role="alert" className="text-sm text-vermilion wrap-anywhere">
          上一次备份失败了：{failure}
        </p>
      )}
      <output className="block text-sm text-soft">
        {is_running ? '正在备份…' : next_time !== null && `下一次：${formatMinute(next_time)}。`}
      </output>
      <p className="mt-3">
        <QuietButton
          aria-disabled={isBusy || is_running}
          onClick={() => !is_running && void begin(() => call('backupStart', {}))}
        >
          马上备份一次
        </QuietButton>
      </p>
      {items.length === 0 && problem === '' && <p className="mt-3 text-soft">还没有备份。</p>}
      <ul role="list" className="mt-3">
        {items.map(({ name, bytes, time }) => (
          <li key={name} className="hairline py-3">
            <p className="wrap-anywhere">{name}</p>
            <p className="text-sm text-soft">
              <Time iso={time} />，{sizeOf(bytes)}
            </p>
            {checking === name ? (
              <p className="text-sm text-soft">正在恢复到临时的数据库里核对…</p>
            ) : (
              check?.name === name && (
                <p className={`text-sm wrap-anywhere ${check.is_sound ? 'text-soft' : 'text-vermilion'}`}>
                  {check.is_sound ? '' : '恢复不了：'}
                  {check.text}（{formatMinute(check.time)}）
                </p>
              )
            )}
            <p className="flex gap-4 text-sm">
              <Action label={`下载 ${name}`} onClick={() => setWanted(name)}>
                下载
              </Action>
              {checking === '' && (
                <Action
                  label={`核对 ${name}`}
                  onClick={() => void begin(() => call('backupCheck', { name }))}
                >
                  核对能不能恢复
                </Action>
              )}
            </p>
          </li>
        ))}
      </ul>
      {wanted !== null && <Download name={wanted} safety={safety} onClose={() => setWanted(null)} />}
    </Section>
  );
}

/** Asks for the password: an archive contains everything of the site. */
function Download({ name, safety, onClose }: { name: string; safety: Safety; onClose(): void }) {
  const send = async ({ password = '', code }: Record<string, string>) => {
    const proof = { password, ...(code && { code }) };
    const { url } = await call('backupDownload', { name, ...proof }, { quiet: true });
    location.assign(url);
    onClose();
  };
  return (
    <Dialog title="下载备份" isOpen onClose={onClose} place="top">
      <Proofs value={{ hasPassword: safety.has_password, hasTotp: safety.has_totp }}>
        <SettingsForm
          label="下载备份"
          action="下载"
          call="backupDownload"
          fixed={{ name }}
          asksCode
          send={send}
          onEnd={onClose}
        >
          {(parts) => (
            <div className="mb-4">
              <p className="mb-4 text-sm text-soft wrap-anywhere">
                {name} 里有网站的全部内容，包括不公开的。
              </p>
              <CurrentPassword {...parts} label="你自己的密码" />
            </div>
          )}
        </SettingsForm>
      </Proofs>
    </Dialog>
  );
}
