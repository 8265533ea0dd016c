import { useId, type ReactNode } from 'react';

interface Props {
  label: string;
  value: string;
  onChange(value: string): void;
  /** `<option>`s. */
  children: ReactNode;
}

/** One of a list, by the browser's own control: on a phone it is the one that people know. */
export function Choice({ label, value, onChange, children }: Props) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block mb-1 text-sm text-soft">
        {label}
      </label>
      <select id={id} className="field" value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </div>
  );
}
