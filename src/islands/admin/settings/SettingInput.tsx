import type { SettingField } from '../../../lib/contract/rules/operator-settings.ts';
import { Action } from '../../ui/Action.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { ProvidersField } from './ProvidersField.tsx';

interface Props {
  field: SettingField;
  id: string;
  problem: string;
  /** Whether the site's configuration sets it. */
  disabled: boolean;
  /** Whether the server has a secret, which it never sends. */
  isSet: boolean;
  stored: string;
  /** '' keeps the stored secret, null removes it. */
  value: string | null;
  onChange(value: string | null): void;
}

/** Input of one variable. */
export function SettingInput(props: Props) {
  const { field } = props;
  const { intro } = field;
  return (
    <div>
      {intro !== undefined && <p className="mb-4 text-sm text-soft">{intro}</p>}
      {field.isProviders ? <ProvidersField {...props} value={props.value ?? ''} /> : <Input {...props} />}
    </div>
  );
}

function Input({ field, isSet, value, onChange, id, problem, disabled }: Props) {
  const frame = { id, problem, disabled };
  const { title: label, hint = '', placeholder, options, isSecret, isFree } = field;
  if (options) {
    const own = value !== null && !(value in options) && { [value]: value };
    return (
      <Choice
        {...frame}
        {...{ label, hint, onChange }}
        value={value ?? ''}
        options={{ ...own, ...options }}
      />
    );
  }
  const kept = value === null ? '保存后清除。' : '已经设置，不显示；留空就不变。';
  return (
    <>
      <LineField
        {...frame}
        {...{ label, placeholder, onChange }}
        hint={isSet ? `${kept}${hint}` : hint}
        value={value ?? ''}
        {...(isSecret && { type: 'password', autoComplete: 'new-password' })}
      />
      {isSet && !frame.disabled && (
        <Action
          label={value === null ? `保留：${label}` : `清除：${label}`}
          onClick={() => onChange(value === null ? '' : null)}
        >
          {value === null ? '保留' : '清除'}
        </Action>
      )}
      {isFree && value === '' && !frame.disabled && (
        <Action label={`生成一个 ${label}`} onClick={() => onChange(crypto.randomUUID().replaceAll('-', ''))}>
          生成一个
        </Action>
      )}
    </>
  );
}
