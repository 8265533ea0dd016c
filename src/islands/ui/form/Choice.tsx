import { useId, type ComponentProps, type ReactNode } from 'react';
import { attributesOf, Labelled, type Notes } from './LineField.tsx';

interface Chosen<T extends string> {
  value: T;
  onChange(value: NoInfer<T>): void;
  /** Text of each value. Other options can be passed as children. */
  options?: NoInfer<Record<T, string>>;
}

type SelectProps<T extends string> = Chosen<T> & Omit<ComponentProps<'select'>, 'value' | 'onChange'>;

/** The native control, which is the familiar one on phones. */
export function Select<T extends string>({ options, onChange, children, ...rest }: SelectProps<T>) {
  return (
    // Only the given values can be chosen.
    <select className="field" {...rest} onChange={({ target }) => onChange(target.value as T)}>
      {children}
      {Object.entries<string>(options ?? {}).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Select field with a label. */
export function Choice<T extends string>(props: SelectProps<T> & Notes & { label: string }) {
  const { label, hint, problem, ...select } = props;
  const ownId = useId();
  const { id = ownId } = select;
  return (
    <Labelled {...{ id, label, hint, problem }}>
      <Select {...attributesOf(id, { hint, problem })} {...select} />
    </Labelled>
  );
}

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
