import { useEffect, useRef } from 'react';
import type { Safety } from '../../lib/contract/account-entities.ts';
import { CLOSING_DAYS } from '../../lib/contract/rules/closing.ts';
import { formatMinute } from '../../lib/shared/time.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';
import { forgetSignIn } from '../../lib/stores/account/session.ts';
import { Section } from '../ui/Section.tsx';
import { CurrentPassword, SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

export type Contents = 'keep' | 'remove';

const CHOICES = [
  ['keep', '留下', '公开的文章和评论留在「已注销」名下，别人看不出是谁写的。'],
  ['remove', '一起删掉', '文章、评论、专栏和没有别处用到的图片都删掉，文章下别人的评论也跟着消失。'],
] as const;

interface Props {
  username: string;
  safety: Pick<Safety, 'email' | 'can_mail' | 'closing_time'>;
  onChange(): void;
  onClosed(contents: Contents): void;
}

/** Shown until the account is closed. */
function PendingClosing({ time, onChange }: { time: string; onChange: Props['onChange'] }) {
  const send = async () => {
    await call('accountKeep', {}, { quiet: true });
    onChange();
  };
  return (
    <>
      <output className="block">
        这个账号将在 <time dateTime={time}>{formatMinute(time)}</time>{' '}
        删除。要马上删除，请打开邮件里的链接。如果不是你要删除的，请撤销，然后马上修改密码。
      </output>
      <SettingsForm action="撤销，不删除账号" call="accountKeep" send={send}>
        {() => null}
      </SettingsForm>
    </>
  );
}

export function ClosingSection({ username, safety, onChange, onClosed }: Props) {
  const { opened, opener, close, section } = useOpened<'form'>();
  const isMailed = isOffered('accountKeep') && safety.can_mail && safety.email !== '';
  const send = async ({ password = '', contents = '' }: Record<string, string>) => {
    // The form requires one of the two.
    await call('accountClose', { password, contents: contents as Contents }, { quiet: true });
    if (isMailed) onChange();
    else onClosed(contents as Contents);
  };
  if (safety.closing_time !== null)
    return (
      <Section id="closing" title="删除账号">
        <PendingClosing time={safety.closing_time} onChange={onChange} />
      </Section>
    );
  return (
    <Section id="closing" title="删除账号">
      <div ref={section}>
        <p className="text-sm text-soft">
          {`删除后不能恢复，所有设备退出登录，用户名、简介、头像和邮箱不再保留，草稿和私密文章一定会删掉。别人在评论里写到的 @${username} 和引用的话仍在。想留底的话，先在上面的`}
          <a href="#export">导出</a>里下载一份。
          {isMailed &&
            `${CLOSING_DAYS} 天后才会删除：我们会给你发一封邮件，里面的链接可以撤销，也可以马上删除。`}
        </p>
        {opened ? (
          <SettingsForm action="删除账号" isDangerous call="accountClose" send={send} onEnd={close}>
            {(parts) => (
              <>
                <fieldset className="m-0 mb-4 p-0 border-0">
                  <legend className="p-0 mb-1 text-sm font-600">公开的文章和评论</legend>
                  {CHOICES.map(([value, word, meaning]) => (
                    <label key={value} className="flex items-start gap-2 min-h-11 py-1 cursor-pointer">
                      <input
                        type="radio"
                        name="contents"
                        value={value}
                        className="flex-none w-4 h-4 mt-1.5"
                      />
                      <span>
                        {word}
                        <span className="block text-sm text-soft leading-normal">{meaning}</span>
                      </span>
                    </label>
                  ))}
                  <p role="alert" className="field-error empty:hidden">
                    {parts.errors['contents']}
                  </p>
                </fieldset>
                <CurrentPassword {...parts} />
              </>
            )}
          </SettingsForm>
        ) : (
          <QuietButton {...opener('form')} className="mt-3">
            删除账号
          </QuietButton>
        )}
      </div>
    </Section>
  );
}

/** Shown in place of the settings once the account is closed. */
export function Closed({ contents }: { contents: Contents }) {
  const notice = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    notice.current?.focus();
    // Not before: the settings redirect to the sign-in page as soon as the session ends.
    forgetSignIn();
  }, []);
  return (
    <div className="pb-16">
      <output ref={notice} className="block outline-none" tabIndex={-1}>
        账号已删除，所有设备都已退出登录。
        {contents === 'keep' ? '公开的文章和评论留在「已注销」名下。' : '文章、评论和专栏也已一起删除。'}
      </output>
      <p className="mt-6">
        <a href="/home" className="button">
          回到首页
        </a>
      </p>
    </div>
  );
}
