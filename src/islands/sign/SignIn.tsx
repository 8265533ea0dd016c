import { island } from '../ui/island.tsx';
import { PasswordField, UsernameField } from './Field.tsx';
import { FormEnd } from './FormEnd.tsx';
import { useSendOn } from './use-send-on.ts';
import { useSignForm } from './use-sign-form.ts';
import { sameSitePath } from '../../lib/same-site-path.ts';

/** The form of /signin. `next` is where it leads, a path of this site. */
export default island(function SignIn({ next: asked }: { next: string }) {
  const next = sameSitePath(asked);
  const { handlers, errors, refusal, isBusy } = useSignForm('signin', next);
  useSendOn(next);
  return (
    // What is sent without us, in the worst case, never gets into an address.
    <form method="post" noValidate aria-label="登录" {...handlers}>
      <UsernameField error={errors['username']} />
      <PasswordField
        label="密码"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        isBusy={isBusy}
        error={errors['password']}
      />
      <FormEnd refusal={refusal} isBusy={isBusy} action="登录" />
    </form>
  );
});
