interface Props<T extends string> {
  legend: string;
  /** Name of the field in a form that is read from its controls. */
  name?: string;
  names: Readonly<Record<T, string>>;
  chosen: readonly T[];
  onChange(chosen: T[]): void;
}

export function Checks<T extends string>({ legend, name: field, names, chosen, onChange }: Props<T>) {
  const all = Object.keys(names) as T[];
  const choose = (name: T, isChosen: boolean) =>
    onChange(all.filter((each) => (each === name ? isChosen : chosen.includes(each))));
  return (
    <fieldset className="m-0 p-0 border-0">
      <legend className="mb-1 p-0 text-sm text-soft">{legend}</legend>
      {all.map((name) => (
        <Check key={name} name={field} isOn={chosen.includes(name)} onChange={(isOn) => choose(name, isOn)}>
          {names[name]}
        </Check>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  name?: string | undefined;
  isOn: boolean;
  onChange(isOn: boolean): void;
  children: string;
}

export function Check({ name, isOn, onChange, children }: CheckProps) {
  return (
    <label className="flex items-center gap-2.5 min-h-11 cursor-pointer">
      <input
        type="checkbox"
        name={name}
        value="true"
        className="flex-none"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  );
}
