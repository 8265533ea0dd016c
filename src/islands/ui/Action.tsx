import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'button'> {
  /** Accessible name, where several buttons have the same text. */
  label?: string;
  isDangerous?: boolean;
}

/** Small button next to its subject. */
export const Action = ({ label, isDangerous = false, className = '', ...rest }: Props) => (
  <button
    type="button"
    className={`${isDangerous ? 'action-danger' : 'action'} ${className}`}
    aria-label={label}
    {...rest}
  />
);
