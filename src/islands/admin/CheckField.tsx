import { useId, type ReactNode } from 'react';

interface Props {
  isOn: boolean;
  onChange(isOn: boolean): void;
  hint: string;
  children: ReactNode;
}

export function CheckField({ isOn, onChange, hint, children }: Props) {
  const id = useId();
  return (
    <div>
      <label className="inline-flex items-center gap-3 min-h-11 cursor-pointer">
        <input
          type="checkbox"
          className="w-4 h-4"
          checked={isOn}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange(target.checked)}
        />
        {children}
      </label>
      <p id={`${id}-hint`} className="pl-7 text-sm text-soft leading-normal">
        {hint}
      </p>
    </div>
  );
}
