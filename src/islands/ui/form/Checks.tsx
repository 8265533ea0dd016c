interface Props<T extends string> {
  legend: string;
  names: Readonly<Record<T, string>>;
  chosen: readonly T[];
  onChange(chosen: T[]): void;
}

export function Checks<T extends string>({ legend, names, chosen, onChange }: Props<T>) {
  const all = Object.keys(names) as T[];
  const choose = (name: T, isChosen: boolean) =>
    onChange(all.filter((each) => (each === name ? isChosen : chosen.includes(each))));
  return (
    <fieldset className="m-0 p-0 border-0">
      <legend className="mb-1 p-0 text-sm text-soft">{legend}</legend>
      {all.map((name) => (
        <Check key={name} isOn={chosen.includes(name)} onChange={(isOn) => choose(name, isOn)}>
          {names[name]}
        </Check>
      ))}
    </fieldset>
  );
}

export function Check(props: { isOn: boolean; onChange(isOn: boolean): void; children: string }) {
  const { isOn, onChange, children } = props;
  return (
    <label className="flex items-center gap-2.5 min-h-11 cursor-pointer">
      <input
        type="checkbox"
        className="flex-none"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  );
}
