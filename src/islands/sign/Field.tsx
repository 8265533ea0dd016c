import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';

interface Framing {
  label: string;
  /** Help text, replaced by an error. */
  hint?: ReactNode;
  error?: string | undefined;
}

/** Attributes of the control. Its id defaults to its name. */
type FieldProps = Framing & { name: string } & Omit<ComponentProps<'input'>, 'className'>;

/** Keeps phones from changing what is typed. */
export const VERBATIM = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

/** Text field with a label. Reserves space for its error, so nothing moves. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  const { name, id = name } = input;
  return (
    <Framed id={id} label={label} hint={hint} error={error}>
      <input className="field" {...describe(id, error)} {...input} id={id} />
    </Framed>
  );
}

/**
 * Username field. It takes focus on load, unless the reader has focused something or a keyboard would cover
 * half the screen.
 */
export function UsernameField(props: Omit<FieldProps, 'label' | 'name'>) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Field
      ref={field}
      label="用户名"
      name="username"
      autoComplete="username"
      {...VERBATIM}
      dir="auto"
      enterKeyHint="next"
      required
      {...props}
    />
  );
}

export function PasswordField({ label, hint, error, isBusy, ...input }: FieldProps & { isBusy: boolean }) {
  const { name, id = name } = input;
  const [isShown, setIsShown] = useState(false);
  // Submitted with type `password`, because browsers would otherwise save it for autofill of text fields.
  const type = isShown && !isBusy ? 'text' : 'password';
  return (
    <Framed id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          className="field pr-16"
          type={type}
          required
          {...VERBATIM}
          {...describe(id, error)}
          {...input}
          id={id}
        />
        <button
          type="button"
          aria-label={`${type === 'text' ? '隐藏' : '显示'}${label}`}
          aria-controls={id}
          className="absolute inset-y-0 right-0 min-w-14 border-0 rounded bg-transparent text-sm text-soft cursor-pointer hover:text-indigo"
          onClick={() => setIsShown(!isShown)}
        >
          {type === 'text' ? '隐藏' : '显示'}
        </button>
      </div>
    </Framed>
  );
}

export function Framed({ id, label, hint, error, children }: Framing & { id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="block mb-1.5 text-sm font-600">
        {label}
      </label>
      {children}
      <div
        id={`${id}-says`}
        className="mt-1 min-h-8 pb-2 text-sm text-soft leading-normal"
        aria-live="polite"
      >
        {error === undefined ? hint : <span className="text-vermilion">{error}</span>}
      </div>
    </div>
  );
}

const describe = (id: string, error: string | undefined) => ({
  'aria-describedby': `${id}-says`,
  'aria-invalid': error !== undefined,
});
