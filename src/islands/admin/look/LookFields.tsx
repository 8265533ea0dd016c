import { useId, useState } from 'react';
import type { LookPart } from '../../../lib/client/look-rules.ts';
import { COLOUR_NAMES, faultRole, faultText, type LookFault } from '../../../lib/contract/rules/looks.ts';
import { Radio } from '../../ui/form/Choice.tsx';
import { attributesOf, Labelled } from '../../ui/form/LineField.tsx';

/** Value of a part of a look: a text, a number, or a group of parts. */
export type LookValue = string | number | { [name: string]: LookValue };

interface Props {
  parts: Readonly<Record<string, LookPart>>;
  values: Readonly<Record<string, LookValue>>;
  path?: string;
  faults: readonly LookFault[];
  /** @param path names of the part and of the groups around it, with dots */
  onChange(path: string, value: string | number): void;
}

/** Fields of a look, made from its schema. */
export function LookFields({ parts, values, path = '', ...rest }: Props) {
  return Object.entries(parts).map(([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const { [name]: value = '' } = values;
    if (part.properties && typeof value === 'object') {
      const isColours = path === 'colours';
      return (
        <fieldset
          key={at}
          className={`grid ${isColours ? 'grid-cols-2' : ''} gap-4 min-w-0 m-0 p-0 border-0`}
        >
          <legend className={`p-0 mb-2 ${path === '' ? 'section-title' : 'text-sm font-600'}`}>
            {part.title}
          </legend>
          <LookFields parts={part.properties} values={value} path={at} {...rest} />
        </fieldset>
      );
    }
    const text = typeof value === 'object' ? '' : String(value);
    const field = { part, problem: problemAt(at, rest.faults) };
    const change = (next: string | number) => rest.onChange(at, next);
    if (part['x-names'])
      return <Names key={at} {...field} names={part['x-names']} value={text} onChange={change} />;
    return part.type === 'number' ? (
      <NumberField key={at} {...field} value={Number(text)} onChange={change} />
    ) : (
      <ColourField key={at} {...field} value={text} onChange={change} />
    );
  });
}

/** Describes the worst fault of a colour. */
function problemAt(path: string, faults: readonly LookFault[]): string {
  const here = faults
    .filter((fault) => path === `colours.${fault.theme}.${faultRole(fault)}`)
    .toSorted((one, other) => one.ratio / one.least - other.ratio / other.least);
  const [worst] = here;
  if (!worst) return '';
  const more = here.length > 1 ? `（共 ${here.length} 处）` : '';
  return COLOUR_NAMES[faultRole(worst)] + faultText(worst) + more;
}

interface FieldProps<T> {
  part: LookPart;
  problem: string;
  value: T;
  onChange(value: T): void;
}

function Names({ part, names, value, onChange }: FieldProps<string> & { names: object }) {
  const group = useId();
  return (
    <fieldset className="m-0 p-0 border-0">
      <legend className="p-0 text-sm text-soft">{part.title}</legend>
      <div className="flex flex-wrap gap-x-5">
        {Object.entries(names as Record<string, string>).map(([name, text]) => (
          <Radio
            key={name}
            name={group}
            value={name}
            checked={name === value}
            onChoose={() => onChange(name)}
          >
            {text}
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}

/** Text of a field while it is edited: it becomes the value as soon as it is one. */
function useTyped(value: string, accept: (text: string) => boolean) {
  const [typed, setTyped] = useState<string | null>(null);
  return {
    value: typed ?? value,
    onBlur: () => setTyped(null),
    onChange({ target }: { target: { value: string } }) {
      setTyped(accept(target.value) ? null : target.value);
    },
  };
}

function NumberField({ part, value, onChange }: FieldProps<number>) {
  const id = useId();
  const { title = '', minimum = 0, maximum = 0, 'x-step': step = 1, 'x-unit': unit } = part;
  const range = { min: minimum, max: maximum, step };
  const typed = useTyped(String(value), (text) => {
    const number = Number(text);
    const steps = number / step;
    const isOne = text !== '' && number >= minimum && number <= maximum;
    // Steps such as 0.05 have no exact binary form.
    if (!isOne || Math.abs(steps - Math.round(steps)) > 1e-6) return false;
    onChange(number);
    return String(number) === text;
  });
  return (
    <Labelled id={id} label={`${title}（${minimum}–${maximum} ${unit ?? ''}）`}>
      <div className="flex items-center gap-3">
        <input
          type="range"
          className="flex-1 min-w-0 min-h-11"
          aria-label={`${title}的滑块`}
          {...range}
          value={value}
          onChange={({ target }) => onChange(Number(target.value))}
        />
        <input id={id} type="number" className="field w-24! flex-none" {...range} {...typed} />
      </div>
    </Labelled>
  );
}

function ColourField({ part, problem, value, onChange }: FieldProps<string>) {
  const id = useId();
  const { title = '' } = part;
  const typed = useTyped(value, (text) => {
    const isColour = /^#[0-9a-f]{6}$/i.test(text);
    if (isColour) onChange(text.toLowerCase());
    return isColour;
  });
  return (
    <Labelled id={id} label={title} problem={problem}>
      <div className="flex items-center gap-2">
        <input
          type="color"
          className="flex-none w-14 h-11 p-1 border border-solid border-edge rounded bg-transparent"
          aria-label={`选择${title}`}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        <input
          {...attributesOf(id, { problem })}
          className="field min-w-0 px-2! tabular-nums"
          maxLength={7}
          autoComplete="off"
          {...typed}
        />
      </div>
    </Labelled>
  );
}
