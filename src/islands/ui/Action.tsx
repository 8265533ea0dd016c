import type { ComponentProps } from 'react';
import { useOnce } from './use-once.ts';

interface Props extends ComponentProps<'button'> {
  /** Accessible name, where several buttons have the same text. */
  label?: string;
  isDangerous?: boolean;
  /** Task of a click. Other clicks are ignored while it runs, and the button says that it is disabled. */
  work?: () => Promise<void>;
}

/** Small button next to its subject. */
export function Action({ label, isDangerous = false, className = '', work, ...rest }: Props) {
  const [isBusy, once] = useOnce();
  return (
    <button
      type="button"
      className={`${isDangerous ? 'action-danger' : 'action'} ${className}`}
      aria-label={label}
      aria-disabled={isBusy || undefined}
      onClick={() => work && void once(work)}
      {...rest}
    />
  );
}
