import { useId, type ReactNode } from 'react';

interface Props {
  label: string;
  value: string;
  onChange(value: string): void;
  children: ReactNode;
}

/** Select field. It is the native control, which is the familiar one on phones. */
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
