import { isOffered } from '../../lib/client/offered.ts';
import type { User } from '../../lib/contract/entities.ts';
import { userUrl } from '../../lib/shared/urls.ts';
import { changeUsername } from '../../lib/stores/account/username.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Field } from '../sign/Field.tsx';
import { Section } from '../ui/Section.tsx';
import { CurrentPassword, SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

/** Names of the user; the username is changed here, the profile on its page. */
export function UsernameSection({ user, onChange }: { user: User; onChange(): void }) {
  const { opened, opener, close, section } = useOpened<'username'>();
  const { username, display_name: name = '' } = user;
  const rename = async ({ username: typed = '', password = '', code }: Record<string, string>) => {
    showNotice(await changeUsername({ username: typed, password, code }));
    close();
    onChange();
  };
  return (
    <Section title="名字">
      <div ref={section}>
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          {name === '' ? (
            <>
              还没有显示名，读者看到的是用户名 <bdi className="text-ink">{username}</bdi>。
            </>
          ) : (
            <>
              读者看到的名字是 <bdi className="text-ink">{name}</bdi>，用户名是 <bdi>{username}</bdi>。
            </>
          )}
          显示名、头像、性别、简介、网站和链接都在
          <a href={userUrl(username)} className="text-indigo">
            个人主页
          </a>
          上修改。
        </p>
        {opened === 'username' && (
          <SettingsForm action="修改用户名" call="usernameChange" asksCode send={rename} onEnd={close}>
            {(parts) => (
              <>
                <Field
                  id={parts.idOf('username')}
                  label="新用户名"
                  name="username"
                  autoComplete="username"
                  dir="auto"
                  defaultValue={username}
                  hint="30 天只能改一次，以后用新用户名登录。原来的用户名为你保留，它的网址会跳转到新的。"
                  error={parts.errors['username']}
                />
                <CurrentPassword {...parts} />
              </>
            )}
          </SettingsForm>
        )}
        {opened === null && isOffered('usernameChange') && (
          <p className="mt-3">
            <QuietButton {...opener('username')}>修改用户名</QuietButton>
          </p>
        )}
      </div>
    </Section>
  );
}
