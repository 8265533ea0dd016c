import { attributesOf, Labelled } from '../../ui/form/LineField.tsx';
import { palette } from '../../../lib/shared/palette.ts';
import { Action } from '../../ui/Action.tsx';

/** Properties of a field in the form. It is disabled if its value is set outside the console. */
export interface SiteFrame {
  id: string;
  hint: string;
  problem: string;
  disabled: boolean;
}

interface Props extends SiteFrame {
  value: string;
  onChange(value: string): void;
}

/** Accent colour. Any colour is valid: the server adjusts it for readability in both themes. */
export function AccentField({ value, onChange, disabled, ...frame }: Props) {
  return (
    <Labelled label="主题色" {...frame}>
      <div className="flex items-center gap-3">
        <input
          {...attributesOf(frame.id, frame)}
          type="color"
          className="flex-none w-14 h-11 p-1 border border-solid border-edge rounded bg-transparent"
          value={value || palette.light.indigo}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
        />
        <span className="text-sm tabular-nums">{value || '原来的颜色'}</span>
        {value !== '' && !disabled && <Action onClick={() => onChange('')}>恢复原来的颜色</Action>}
      </div>
    </Labelled>
  );
}
