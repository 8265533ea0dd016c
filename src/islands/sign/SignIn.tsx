import { useState } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { sameSitePath } from '../../lib/shared/same-site-path.ts';
import { island } from '../ui/island.tsx';
import { CodeForm } from './CodeForm.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordField, UsernameField } from './Field.tsx';
import { useSecret } from '../ui/use-hash.ts';
import { SignEnd } from './SignEnd.tsx';
import { useSendOn } from './use-send-on.ts';
import { useSignForm } from './use-sign-form.ts';

/**
 * Forms of /signin. `next` is the path of this site to continue to. An identity provider returns here with
 * the ticket of a second step behind `#`.
 */
export default island(function SignIn({ next: asked, hasPassword }: { next: string; hasPassword: boolean }) {
  const next = sameSitePath(asked);
  const brought = useSecret();
  const [issued, setTicket] = useState<string>();
  const ticket = issued ?? brought;
  const back = () => {
    setTicket(undefined);
    location.hash = '';
  };
  useSendOn(next);
  if (ticket !== '') return <CodeForm next={next} ticket={ticket} onBack={back} />;
  return hasPassword ? <PasswordForm next={next} onTicket={setTicket} /> : null;
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
