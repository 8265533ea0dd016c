import { useState } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { sameSitePath } from '../../lib/same-site-path.ts';
import { island } from '../ui/island.tsx';
import { CodeForm } from './CodeForm.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordField, UsernameField } from './Field.tsx';
import { FormEnd } from './FormEnd.tsx';
import { useSendOn } from './use-send-on.ts';
import { useSignForm } from './use-sign-form.ts';

/** The forms of /signin. `next` is where they lead, a path of this site. */
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

/** Name and password. `onTicket` is told what the second step of an account needs that has one. */
function PasswordForm({ next, onTicket }: { next: string; onTicket(ticket: string): void }) {
  const goesOn = (error: unknown) => {
    if (!isCallError(error, 'refused') || error.ticket === undefined) return false;
    onTicket(error.ticket);
    return true;
  };
  const { handlers, errors, refusal, isBusy } = useSignForm('signin', next, { goesOn });
  return (
    // What is sent without us, in the worst case, never gets into an address.
    <form method="post" noValidate aria-label="登录" {...handlers}>
      {/* Browsers offer passkeys beside names. */}
      <UsernameField error={errors['username']} autoComplete="username webauthn" />
      <PasswordField
        label="密码"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        isBusy={isBusy}
        error={errors['password']}
      />
      <FormEnd refusal={refusal} isBusy={isBusy} action="登录" />
      <PasskeyButton next={next} />
    </form>
  );
}
