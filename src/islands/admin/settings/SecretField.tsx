import { LineField } from '../../ui/form/LineField.tsx';
import type { SettingFrame } from './settings-page.tsx';

interface Props extends SettingFrame {
  label: string;
  /** Whether the server has one, which it never sends. */
  isSet: boolean;
  value: string;
  onChange(value: string): void;
}

/** A secret: empty keeps the stored one. */
export const SecretField = ({ isSet, hint, ...field }: Props) => (
  <LineField
    {...field}
    hint={isSet ? `已经设置，不显示；留空就不变。${hint}` : hint}
    type="password"
    autoComplete="new-password"
  />
);
