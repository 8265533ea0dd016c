import { Action } from '../../ui/Action.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import type { SettingFrame } from './settings-page.tsx';

interface Props extends SettingFrame {
  label: string;
  /** Whether the server has one, which it never sends. */
  isSet: boolean;
  /** '' keeps the stored secret, null removes it. */
  value: string | null;
  onChange(value: string | null): void;
}

export function SecretField({ isSet, hint, value, onChange, ...field }: Props) {
  const kept = value === null ? '保存后清除。' : '已经设置，不显示；留空就不变。';
  return (
    <div>
      <LineField
        {...field}
        hint={isSet ? `${kept}${hint}` : hint}
        type="password"
        autoComplete="new-password"
        value={value ?? ''}
        onChange={onChange}
      />
      {isSet && !field.disabled && (
        <Action
          label={value === null ? `保留：${field.label}` : `清除：${field.label}`}
          onClick={() => onChange(value === null ? '' : null)}
        >
          {value === null ? '保留' : '清除'}
        </Action>
      )}
    </div>
  );
}
