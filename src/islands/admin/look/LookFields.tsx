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
    return <TypedField key={at} {...field} value={text} onChange={change} />;
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

const COLOUR_INPUT = 'flex-none w-14 h-11 p-1 border border-solid border-edge rounded bg-transparent';

interface FieldProps {
  part: LookPart;
  problem: string;
  value: string;
  onChange(value: string | number): void;
}

function Names({ part, names, value, onChange }: FieldProps & { names: object }) {
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

/** A slider or colour picker, and next to it the value as text, which may be incomplete while it is typed. */
function TypedField({ part, problem, value, onChange }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const { title = '', minimum: min, maximum: max, 'x-step': step, 'x-unit': unit } = part;
  const isNumber = part.type === 'number';
  const change = (text: string) => onChange(isNumber ? Number(text) : text.toLowerCase());
  const bounds = { min, max, step };
  return (
    <Labelled id={id} label={isNumber ? `${title}（${min}–${max} ${unit}）` : title} problem={problem}>
      <div className="flex items-center gap-2">
        <input
          type={isNumber ? 'range' : 'color'}
          className={isNumber ? 'flex-1 min-w-0 min-h-11' : COLOUR_INPUT}
          aria-label={isNumber ? `${title}的滑块` : `选择${title}`}
          {...bounds}
          value={value}
          onChange={({ target }) => change(target.value)}
        />
        <input
          {...attributesOf(id, { problem })}
          type={isNumber ? 'number' : 'text'}
          className={`field px-2! tabular-nums ${isNumber ? 'w-20! flex-none' : 'min-w-0'}`}
          required
          pattern={isNumber ? undefined : '#[0-9a-fA-F]{6}'}
          autoComplete="off"
          {...bounds}
          value={typed ?? value}
          onBlur={() => setTyped(null)}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.validity.valid) change(target.value);
          }}
        />
      </div>
    </Labelled>
  );
}
