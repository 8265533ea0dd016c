import { useState } from 'react';
import type { CallOutput } from '../../lib/contract/calls/calls.ts';
import { isRefusedWith } from '../../lib/client/is-refused-with.ts';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import { sameSitePath } from '../../lib/shared/same-site-path.ts';
import { island } from '../ui/island.tsx';
import { CheckNote } from './CheckNote.tsx';
import { useHumanCheck } from './use-human-check.ts';
import { Field } from './Field.tsx';
import { SignEnd } from './SignEnd.tsx';
import { NewAccountFields } from './NewAccountFields.tsx';
import { useSendOn, useSignForm } from './use-sign-form.ts';
import { useSignupMode } from './use-signup-mode.ts';

const UNKNOWN: CallOutput<'signupMode'> = { mode: 'open', check: false };

const [MIN_NAME_CHARACTERS, MAX_NAME_CHARACTERS] = BOUNDS.username;

/** Form of /signup. `next` is the path of this site to continue to, `invite` a code from the URL. */
export default island(function SignUp({ next: asked, invite }: { next: string; invite: string }) {
  const next = sameSitePath(asked);
  // Assumes open and no proof until the server has answered, because it checks on submit anyway.
  const { mode, check: isChecked } = useSignupMode() ?? UNKNOWN;
  // The operator may have switched the check on since, or the server had not answered.
  const [isAskedLate, setAskedLate] = useState(false);
  const human = useHumanCheck((isChecked || isAskedLate) && mode !== 'closed');
  const { handlers, errors, refusal, isBusy } = useSignForm('signup', next, {
    more: human.prove,
    goesOn: (error) => {
      if (isRefusedWith(error, 'CHECK_FAILED')) human.forget();
      if (isRefusedWith(error, 'CHECK_NEEDED')) setAskedLate(true);
      return false;
    },
  });
  useSendOn(next);
  if (mode === 'closed') return <p>本站暂不开放注册。</p>;
  return (
    <form method="post" noValidate aria-label="注册" {...handlers}>
      {(mode === 'invitation' || invite !== '') && (
        <Field
          label="邀请码"
          name="invite"
          defaultValue={invite}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required={mode === 'invitation'}
          hint={mode === 'invitation' ? '本站凭邀请码注册' : ''}
          error={errors['invite']}
        />
      )}
      <NewAccountFields
        hint={`${MIN_NAME_CHARACTERS}–${MAX_NAME_CHARACTERS} 个字符，中文、字母、数字、_ 和 -`}
        errors={errors}
        isBusy={isBusy}
      />
      <CheckNote state={human.state} />
      <SignEnd refusal={refusal} isBusy={isBusy} action="注册" />
    </form>
  );
});
