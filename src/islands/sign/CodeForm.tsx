import { useEffect, useRef } from 'react';
import { Field, VERBATIM } from './Field.tsx';
import { SignEnd } from './SignEnd.tsx';
import { useSignForm } from './use-sign-form.ts';
import { TextButton } from '../ui/Button.tsx';

/** Second step of sign-in: a code from the authenticator app, or a recovery code. */
export function CodeForm({ next, ticket, onBack }: { next: string; ticket: string; onBack(): void }) {
  const { handlers, errors, refusal, isBusy } = useSignForm('signinFinish', next, { fixed: { ticket } });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form method="post" noValidate aria-label="两步验证" {...handlers}>
      <p className="mb-4">这个账号开启了两步验证，请打开验证器应用，填入现在显示的 6 位数字。</p>
      <CodeField ref={field} hint="手机不在身边？也可以填一个恢复码。" error={errors['code']} />
      <SignEnd refusal={refusal} isBusy={isBusy} action="登录" />
      <p className="mt-2 text-center">
        <TextButton onClick={onBack}>返回，重新输入密码</TextButton>
      </p>
    </form>
  );
}

export function CodeField(props: Partial<Parameters<typeof Field>[0]>) {
  return (
    <Field
      label="验证码"
      name="code"
      autoComplete="one-time-code"
      {...VERBATIM}
      enterKeyHint="go"
      required
      {...props}
    />
  );
}
