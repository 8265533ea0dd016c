import { useId } from 'react';

interface Props {
  label: string;
  hint?: string;
  value: string;
  isNumber?: boolean;
  onChange(value: string): void;
}

export function LineField({ label, hint = '', value, isNumber = false, onChange }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block mb-1 text-sm text-soft">
        {label}
      </label>
      <input
        id={id}
        className="field"
        inputMode={isNumber ? 'numeric' : undefined}
        autoComplete="off"
        value={value}
        aria-describedby={hint === '' ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint !== '' && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  );
}
