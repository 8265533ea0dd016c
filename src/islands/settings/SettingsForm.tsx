import { useEffect, useId, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { explain } from '../../lib/client/call-error.ts';
import { checkFields, type FieldErrors } from '../../lib/client/check.ts';
import { isRefusedWith } from '../../lib/client/is-refused-with.ts';
import type { CallName } from '../../lib/contract/calls/calls.ts';
import { CodeField } from '../sign/CodeForm.tsx';
import { PasswordField } from '../sign/Field.tsx';
import { useOnce } from '../ui/use-once.ts';

export interface FormParts {
  /** Returns a unique id for a field name, because the page has several forms. */
  idOf(name: string): string;
  errors: FieldErrors;
  isBusy: boolean;
}

interface Props {
  label: string;
  action: string;
  isDangerous?: boolean;
  /** Whether two-step verification is on and the call needs its code. */
  asksCode?: boolean;
  /** Call of the form, whose schema validates the fields. */
  call: CallName;
  fixed?: Record<string, string>;
  /** Makes the call. A thrown error is shown in the form. */
  send(fields: Record<string, string>): Promise<void>;
  /** Closes the form; omitted if it cannot be closed. */
  onEnd?: () => void;
  children?: (parts: FormParts) => ReactNode;
}

/** Fields that show the error of a refusal. */
const PLACES = { PASSWORD_WRONG: 'password', CODE_WRONG: 'code' } as const;

/** Form in the settings. Asks for the current password unless it has other fields. */
export function SettingsForm(props: Props) {
  const {
    label,
    action,
    isDangerous = false,
    asksCode = false,
    call,
    fixed = {},
    send,
    onEnd,
    children = askPassword,
  } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refusal, setRefusal] = useState('');
  const [isBusy, once] = useOnce();
  const controls = () =>
    [...(form.current?.elements ?? [])].filter((each) => each instanceof HTMLInputElement);
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus(), []);

  const show = (found: FieldErrors) => {
    setErrors(found);
    controls()
      .find(({ name }) => name in found)
      ?.focus();
  };
  const attempt = async () => {
    setRefusal('');
    const typed = Object.fromEntries(new FormData(form.current ?? undefined)) as Record<string, string>;
    const fields = { ...fixed, ...typed };
    // If the validation rules fail to load, the server validates.
    const found: FieldErrors = await checkFields(call, fields).catch(() => ({}));
    show(found);
    if (Object.keys(found).length > 0) return;
    try {
      await send(fields);
    } catch (error) {
      const sentence = explain(error, '没有成功，请再试一次');
      const place = Object.entries(PLACES).find(([code]) =>
        isRefusedWith(error, code as keyof typeof PLACES),
      );
      if (place) show({ [place[1]]: sentence });
      else setRefusal(sentence);
    }
  };
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    void once(attempt);
  };
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
      {asksCode && (
        <CodeField id={`${id}-code`} hint="验证器应用里的 6 位数字，或一个恢复码。" error={errors['code']} />
      )}
      <p role="alert" className="field-error mb-3 empty:hidden">
        {refusal}
      </p>
      <div className="flex gap-3">
        <button
          type="submit"
          className={`${isDangerous ? 'button-danger' : 'button'} aria-disabled:(opacity-70 cursor-progress)`}
          aria-disabled={isBusy}
        >
          {isBusy ? '请稍候…' : action}
        </button>
        {onEnd && (
          <button type="button" className="button-quiet" onClick={onEnd}>
            取消
          </button>
        )}
      </div>
    </form>
  );
}

const askPassword = (parts: FormParts) => <CurrentPassword {...parts} />;

export function CurrentPassword({ idOf, errors, isBusy }: FormParts) {
  return (
    <PasswordField
      id={idOf('password')}
      label="当前密码"
      name="password"
      autoComplete="current-password"
      isBusy={isBusy}
      error={errors['password']}
    />
  );
}
