import type { ComponentProps, ReactNode } from 'react';

type Props = Pick<ComponentProps<'input'>, 'name' | 'value' | 'checked'> & {
  children: ReactNode;
  onChoose(): void;
};

/** A radio button with its label. */
export const Radio = ({ children, onChoose, ...input }: Props) => (
  <label className="flex items-center gap-2 min-h-11 cursor-pointer">
    <input type="radio" className="w-4 h-4" onChange={onChoose} {...input} />
    {children}
  </label>
);
