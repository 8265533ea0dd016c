import { useId, type ComponentProps, type ReactNode } from 'react';

export interface Notes {
  /** '' for none. */
  hint?: ReactNode;
  /** Error of the field, '' for none; omitted if the form shows its errors elsewhere. */
  problem?: string | undefined;
}

interface Framing extends Notes {
  label: string;
}

/** Error and hint of the control `id`. */
export function FieldNotes({ id, hint = '', problem }: Notes & { id: string }) {
  return (
    <>
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className="field-error empty:hidden">
          {problem}
        </p>
      )}
      {hint !== '' && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft wrap-anywhere">
          {hint}
        </p>
      )}
    </>
  );
}

/** Label above a control, and its notes below. */
export function Labelled({ label, children, ...notes }: Framing & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={notes.id} className="block mb-1 text-sm text-soft">
        {label}
      </label>
      {children}
      <FieldNotes {...notes} />
    </div>
  );
}

/** Attributes of a control in `Labelled`. */
export function attributesOf(id: string, { hint = '', problem }: Notes) {
  const notes = [problem === undefined ? '' : `${id}-problem`, hint === '' ? '' : `${id}-hint`].filter(
    Boolean,
  );
  return {
    id,
    'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
    'aria-invalid': problem === undefined ? undefined : problem !== '',
  };
}

type Controlled<Control extends 'input' | 'textarea'> = Framing & { onChange(value: string): void } & Omit<
    ComponentProps<Control>,
    'onChange' | 'className'
  >;

export function LineField({ label, hint, problem, onChange, ...input }: Controlled<'input'>) {
  const ownId = useId();
  const { id = ownId } = input;
  return (
    <Labelled {...{ id, label, hint, problem }}>
      <input
        className="field"
        autoComplete="off"
        {...attributesOf(id, { hint, problem })}
        {...input}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labelled>
  );
}

export function AreaField({
  label,
  hint,
  problem,
  onChange,
  className = '',
  ...area
}: Controlled<'textarea'> & { className?: string }) {
  const ownId = useId();
  const { id = ownId } = area;
  return (
    <Labelled {...{ id, label, hint, problem }}>
      <textarea
        className={`field block resize-y ${className}`}
        {...attributesOf(id, { hint, problem })}
        {...area}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labelled>
  );
}
