import { useState } from 'react';
import { Choice } from '../../ui/form/Choice.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import type { SiteFrame } from './AccentField.tsx';

const KINDS = { '': '本站的标志，没有标志时用站名的第一个字', own: '自己的一个字', none: '不要印章' };
type Kind = keyof typeof KINDS;

const kindOf = (value: string): Kind => (value === '' || value === 'none' ? value : 'own');

interface Props extends SiteFrame {
  value: string;
  onChange(value: string): void;
}

/** Seal of the site: its logo, a character, or none. */
export function SealField({ value, onChange, ...frame }: Props) {
  const [kind, setKind] = useState(kindOf(value));
  const choose = (chosen: Kind) => {
    setKind(chosen);
    onChange(chosen === 'own' ? '' : chosen);
  };
  const { hint, ...field } = frame;
  return (
    <div className="grid gap-y-3">
      <Choice
        label="印章"
        hint={hint}
        {...(kind === 'own' ? { disabled: frame.disabled } : field)}
        value={kind}
        options={KINDS}
        onChange={choose}
      />
      {kind === 'own' && (
        <LineField
          {...field}
          label="印章上的字"
          hint="一个字、字母或数字。"
          value={value}
          required
          onChange={onChange}
        />
      )}
    </div>
  );
}
