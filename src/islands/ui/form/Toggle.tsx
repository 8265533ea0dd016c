import { Switch } from '@base-ui/react/switch';
import { useId, type ReactNode } from 'react';

interface Props {
  isOn: boolean;
  onChange(isOn: boolean): void;
  hint: string;
  children: ReactNode;
}

export function Toggle({ isOn, onChange, hint, children }: Props) {
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
      <label htmlFor={id} className="flex items-center min-h-11 cursor-pointer">
        {children}
      </label>
      <Switch.Root
        id={id}
        className="switch"
        checked={isOn}
        aria-describedby={`${id}-hint`}
        onCheckedChange={onChange}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
      <p id={`${id}-hint`} className="mt--1.5 col-span-2 text-sm text-soft leading-normal">
        {hint}
      </p>
    </div>
  );
}
