import type { ComponentProps } from 'react';
import { useOnce } from './use-once.ts';

interface Props extends ComponentProps<'button'> {
  /** Accessible name, where several buttons have the same text. */
  label?: string;
  isDangerous?: boolean;
  /** Task of a click. Other clicks are ignored while it runs. */
  work?: () => Promise<void>;
}

/** Small button next to its subject. */
export function Action({ label, isDangerous = false, className = '', work, ...rest }: Props) {
  const [, once] = useOnce();
  return (
    <button
      type="button"
      className={`${isDangerous ? 'action-danger' : 'action'} ${className}`}
      aria-label={label}
      onClick={() => work && void once(work)}
      {...rest}
    />
  );
}
