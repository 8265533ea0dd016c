import type { ComponentProps } from 'react';

type Props = Omit<ComponentProps<'button'>, 'type'>;

/** The main action of a dialog or form. */
export const MainButton = ({ className = '', ...rest }: Props) => (
  <button type="button" className={`button ${className}`} {...rest} />
);

export const QuietButton = ({ className = '', ...rest }: Props) => (
  <button type="button" className={`button-quiet ${className}`} {...rest} />
);

export const TextButton = ({ className = '', ...rest }: Props) => (
  <button type="button" className={`button-text ${className}`} {...rest} />
);
