import { useEffect, useRef, useState } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { canUsePasskeys, enterByAutofill, enterByPasskey } from '../../lib/stores/account/passkeys.ts';
import { useOnce } from '../ui/use-once.ts';
import { sameSitePath } from '../../lib/shared/same-site-path.ts';
import { island } from '../ui/island.tsx';
import { useBrowser, useSecret } from '../ui/use-browser.ts';
import { leaveFor, useSendOn, useSignForm } from './use-sign-form.ts';
import { CodeForm } from './CodeForm.tsx';
import { PasswordField, UsernameField } from './Field.tsx';
import { SignEnd } from './SignEnd.tsx';
import { QuietButton } from '../ui/Button.tsx';

const sentenceOf = (error: unknown): string =>
  isCallError(error) ? error.message : '没有用成通行密钥，请再试一次，或用密码登录';

/**
 * Signs in with a passkey of this device, also from the browser's autofill list. Shown if the browser and the
 * server support passkeys.
 */
function PasskeyButton({ next }: { next: string }) {
  const isShown = useBrowser(() => canUsePasskeys() && isOffered('safety'), false);
  const [problem, setProblem] = useState('');
  const offer = useRef<AbortController>(null);
  const [isBusy, once] = useOnce();
  const enter = async () => {
    setProblem('');
    // Browsers allow one request at a time, and the one for autofill may still be pending.
    offer.current?.abort();
    try {
      if (await enterByPasskey()) await leaveFor(next);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  useEffect(() => {
    if (!isShown) return undefined;
    const stop = new AbortController();
    offer.current = stop;
    const offerInList = async () => {
      try {
        if (await enterByAutofill(stop.signal)) await leaveFor(next);
      } catch (error) {
        // Other errors can be ignored here: the button will show them when clicked.
        if (isCallError(error, 'refused')) setProblem(sentenceOf(error));
      }
    };
    void offerInList();
    return () => stop.abort();
  }, [isShown, next]);
  if (!isShown) return null;
  return (
    <>
      <QuietButton
        className="w-full mt-3 aria-disabled:(opacity-70 cursor-progress)"
        aria-disabled={isBusy}
        onClick={() => void once(enter)}
      >
        用通行密钥登录
      </QuietButton>
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
    </>
  );
}

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
