import { useEffect, useRef } from 'react';
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

export function ClosingSection({
  username,
  onClosed,
}: {
  username: string;
  onClosed(contents: Contents): void;
}) {
  const { opened, opener, close, section } = useOpened<'form'>();
  const send = async ({ password = '', contents = '' }: Record<string, string>) => {
    // The form requires one of the two.
    await call('accountClose', { password, contents: contents as Contents }, { quiet: true });
    onClosed(contents as Contents);
  };
  return (
    <Section title="删除账号">
      <div ref={section}>
        <p className="text-sm text-soft">
          {`删除后不能恢复，所有设备退出登录，用户名、简介、头像和邮箱不再保留，草稿和私密文章一定会删掉。别人在评论里写到的 @${username} 和引用的话仍在。想留底的话，先在上面的`}
          <a href="#export">导出</a>里下载一份。
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
