import { useStore } from '@nanostores/react';
import { useState, useSyncExternalStore } from 'react';
import { explain } from '../../lib/client/call-error.ts';
import { call } from '../../lib/stores/api.ts';
import { $session } from '../../lib/stores/session.ts';
import { island } from '../ui/island.tsx';
import { useOnce } from '../ui/use-once.ts';
import { PasswordField, UsernameField } from './Field.tsx';
import { FormEnd } from './FormEnd.tsx';
import { StrengthHint } from './StrengthHint.tsx';
import { leaveFor } from './use-send-on.ts';
import { useSignForm } from './use-sign-form.ts';

const CONSOLE = '/admin';

/** The key stands behind the address's `#`, which is sent to nobody. */
const useKey = () =>
  useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
    () => location.hash.slice(1),
    () => '',
  );

/** The form of /setup: makes the site's first operator, a new account or the one that is signed in. */
export default island(function Setup() {
  const key = useKey();
  const username = useStore($session, { ssr: 'initial' })?.username;
  return username === undefined ? <NewOperator urlKey={key} /> : <Claim urlKey={key} username={username} />;
});

function NewOperator({ urlKey }: { urlKey: string }) {
  const { handlers, errors, refusal, isBusy } = useSignForm('operatorSetup', CONSOLE);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  return (
    // What is sent without us, in the worst case, never gets into an address.
    <form method="post" noValidate aria-label="设置站长" {...handlers}>
      <input type="hidden" name="key" value={urlKey} />
      <UsernameField
        hint="这个账号也用来写文章"
        error={errors['username']}
        onInput={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <PasswordField
        label="密码"
        name="password"
        autoComplete="new-password"
        enterKeyHint="next"
        isBusy={isBusy}
        hint={<StrengthHint password={password} username={username} />}
        error={errors['password']}
        onInput={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <PasswordField
        label="确认密码"
        name="repassword"
        autoComplete="new-password"
        enterKeyHint="go"
        isBusy={isBusy}
        error={errors['repassword']}
      />
      <FormEnd refusal={refusal || (errors['key'] ?? '')} isBusy={isBusy} action="设置" />
    </form>
  );
}

function Claim({ urlKey, username }: { urlKey: string; username: string }) {
  const [isBusy, once] = useOnce();
  const [refusal, setRefusal] = useState('');
  const claim = async () => {
    setRefusal('');
    try {
      await call('operatorClaim', { key: urlKey }, { quiet: true });
      leaveFor(CONSOLE);
    } catch (error) {
      setRefusal(explain(error, '出了点问题，请再试一次'));
    }
  };
  return (
    <form
      aria-label="设置站长"
      onSubmit={(event) => {
        event.preventDefault();
        void once(claim);
      }}
    >
      <p className="mb-6">
        现在登录的是 <bdi className="font-600">{username}</bdi>，设置后就由这个账号管理网站。
      </p>
      <FormEnd refusal={refusal} isBusy={isBusy} action="设为站长" />
    </form>
  );
}
