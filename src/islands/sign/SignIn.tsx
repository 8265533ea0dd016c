import { useState } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { sameSitePath } from '../../lib/shared/same-site-path.ts';
import { island } from '../ui/island.tsx';
import { CodeForm } from './CodeForm.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordField, UsernameField } from './Field.tsx';
import { SignEnd } from './SignEnd.tsx';
import { useSendOn } from './use-send-on.ts';
import { useSignForm } from './use-sign-form.ts';

/** Forms of /signin. `next` is the path of this site to continue to. */
export default island(function SignIn({ next: asked }: { next: string }) {
  const next = sameSitePath(asked);
  const [ticket, setTicket] = useState<string>();
  useSendOn(next);
  return ticket === undefined ? (
    <PasswordForm next={next} onTicket={setTicket} />
  ) : (
    <CodeForm next={next} ticket={ticket} onBack={() => setTicket(undefined)} />
  );
});

/** Form for name and password. If the account has two-step verification, `onTicket` receives its ticket. */
function PasswordForm({ next, onTicket }: { next: string; onTicket(ticket: string): void }) {
  const goesOn = (error: unknown) => {
    if (!isCallError(error, 'refused') || error.ticket === undefined) return false;
    onTicket(error.ticket);
    return true;
  };
  const { handlers, errors, refusal, isBusy } = useSignForm('signin', next, { goesOn });
  return (
    // With POST, the fields never get into a URL, even if the browser submits the form without our script.
    <form method="post" noValidate aria-label="登录" {...handlers}>
      {/* Browsers offer passkeys in the autofill list of usernames. */}
      <UsernameField error={errors['username']} autoComplete="username webauthn" />
      <PasswordField
        label="密码"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        isBusy={isBusy}
        error={errors['password']}
      />
      <SignEnd refusal={refusal} isBusy={isBusy} action="登录" />
      <PasskeyButton next={next} />
    </form>
  );
}
