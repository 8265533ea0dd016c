import { isOffered } from '../../lib/client/offered.ts';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import type { User } from '../../lib/contract/entities.ts';
import { userUrl } from '../../lib/shared/urls.ts';
import { changeUsername } from '../../lib/stores/account/username.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Field, TextField } from '../sign/Field.tsx';
import { Section } from '../ui/Section.tsx';
import { CurrentPassword, SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

/** Names, website and links. */
export function ProfileSection({ user, onChange }: { user: User; onChange(): void }) {
  const { opened, opener, close, section } = useOpened<'form' | 'username'>();
  const { username, display_name: name = '', website = '', profile_links: links = [] } = user;
  const send = async (fields: Record<string, string>) => {
    showNotice(await call('profileChange', fields as never, { quiet: true }));
    close();
    onChange();
  };
  const rename = async ({ username: typed = '', password = '', code }: Record<string, string>) => {
    showNotice(await changeUsername({ username: typed, password, code }));
    close();
    onChange();
  };
  const shown = [website, ...links].filter((link) => link !== '');
  return (
    <Section title="公开资料">
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
          头像、性别和简介在
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
        {opened === 'form' && (
          <SettingsForm label="修改公开资料" action="保存" call="profileChange" send={send} onEnd={close}>
            {({ idOf, errors }) => (
              <>
                <Field
                  id={idOf('display_name')}
                  label="显示名"
                  name="display_name"
                  autoComplete="nickname"
                  dir="auto"
                  defaultValue={name}
                  hint={`最多 ${BOUNDS.displayNameGraphemes} 个字，一小时只能改一次；不填就显示用户名。`}
                  error={errors['display_name']}
                />
                <Field
                  id={idOf('website')}
                  label="个人网站"
                  name="website"
                  type="url"
                  inputMode="url"
                  autoComplete="url"
                  defaultValue={website}
                  placeholder="https://"
                  error={errors['website']}
                />
                <TextField
                  id={idOf('profile_links')}
                  label="链接"
                  name="profile_links"
                  rows={BOUNDS.profileLinks[1]}
                  inputMode="url"
                  defaultValue={links.join('\n')}
                  hint={`一行一个网址，最多 ${BOUNDS.profileLinks[1]} 个。`}
                  error={errors['profile_links']}
                />
              </>
            )}
          </SettingsForm>
        )}
        {opened === null && (
          <>
            {shown.length === 0 ? (
              <p className="mt-2 text-sm text-soft">还没有网站和链接。</p>
            ) : (
              <ul role="list" className="mt-2 text-sm">
                {shown.map((link) => (
                  <li key={link} className="[overflow-wrap:anywhere]" dir="ltr">
                    {link}
                  </li>
                ))}
              </ul>
            )}
            <p className="mt-3 flex flex-wrap gap-3">
              <QuietButton {...opener('form')}>修改公开资料</QuietButton>
              {isOffered('usernameChange') && <QuietButton {...opener('username')}>修改用户名</QuietButton>}
            </p>
          </>
        )}
      </div>
    </Section>
  );
}
