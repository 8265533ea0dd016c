import { createContext, use, useEffect, useId, type ReactNode } from 'react';
import type { FieldErrors, FormCall } from '../../lib/client/check.ts';

import { CodeField } from '../sign/CodeForm.tsx';
import { PasswordField } from '../sign/Field.tsx';
import { FormEnd } from '../ui/form/FormEnd.tsx';
import { useFields } from '../ui/form/use-fields.ts';

export interface FormParts {
  /** Returns a unique id for a field name, because the page has several forms. */
  idOf(name: string): string;
  errors: FieldErrors;
  isBusy: boolean;
}

interface Props {
  /** Accessible name, by default `action`. */
  label?: string;
  action: string;
  isDangerous?: boolean;
  /** Whether the call needs the code of two-step verification, if that is on. */
  asksCode?: boolean;
  /** Call of the form, whose schema validates the fields. */
  call: FormCall;
  fixed?: Readonly<Record<string, unknown>>;
  /** Makes the call. A thrown error is shown in the form. */
  send(fields: Record<string, string>): Promise<void>;
  /** Closes the form; omitted if it cannot be closed. */
  onEnd?: () => void;
  children?: (parts: FormParts) => ReactNode;
}

/** Form in the settings. Asks for the current password unless it has other fields. */
export function SettingsForm(props: Props) {
  const { action, label = action, isDangerous, asksCode = false, call, fixed = {}, send, onEnd } = props;
  const { children = askPassword } = props;
  const id = useId();
  const { hasTotp } = use(Proofs);
  const { form, errors, problem, isBusy, onSubmit } = useFields(call, fixed, send, '没有成功，请再试一次');
  useEffect(() => {
    // The reader may have begun to type before hydration.
    if (document.activeElement?.matches('input, textarea')) return;
    form.current?.querySelector<HTMLInputElement>('input:not([hidden], [type=hidden])')?.focus();
  }, [form]);
  return (
    <form
      ref={form}
      method="post"
      noValidate
      aria-label={label}
      className="mt-4 max-w-90"
      onSubmit={onSubmit}
    >
      {children({ idOf: (name) => `${id}-${name}`, errors, isBusy })}
      {asksCode && hasTotp && (
        <CodeField id={`${id}-code`} hint="验证器应用里的 6 位数字，或一个恢复码。" error={errors['code']} />
      )}
      <FormEnd {...{ problem, isBusy, action, isDangerous, onEnd }} busy="请稍候…" className="mb-3" />
    </form>
  );
}

const askPassword = (parts: FormParts) => <CurrentPassword {...parts} />;

/** Proofs that the account can give. Without a password, the server accepts a recent sign-in instead. */
export const Proofs = createContext({ hasPassword: true, hasTotp: false });

export function CurrentPassword({
  idOf,
  errors,
  isBusy,
  label = '当前密码',
}: FormParts & { label?: string }) {
  // The schema requires a text, which the server ignores.
  if (!use(Proofs).hasPassword) return <input type="hidden" name="password" value="-" />;
  return (
    <PasswordField
      id={idOf('password')}
      label={label}
      name="password"
      autoComplete="current-password"
      isBusy={isBusy}
      error={errors['password']}
    />
  );
}
