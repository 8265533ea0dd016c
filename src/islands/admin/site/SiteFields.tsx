import type { ReactNode } from 'react';
import { LICENCES } from '../../../lib/contract/rules/licences.ts';

export interface FrameProps {
  id: string;
  /** File or variable that sets the value outside the console. The field is read-only then. */
  source: string | undefined;
  problem: string;
}

export function FieldNotes({ id, source, problem, hint }: FrameProps & { hint: string }) {
  const note = source === undefined ? hint : `由 ${source} 设定，要在那里修改。`;
  return (
    <>
      <p id={`${id}-problem`} role="alert" className="field-error empty:hidden">
        {problem}
      </p>
      {note !== '' && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft wrap-anywhere">
          {note}
        </p>
      )}
    </>
  );
}

function Framed({ label, hint, children, ...frame }: FrameProps & FieldProps & { children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={frame.id} className="block mb-1 text-sm text-soft">
        {label}
      </label>
      {children}
      <FieldNotes {...frame} hint={hint} />
    </div>
  );
}

interface FieldProps {
  label: string;
  hint: string;
}

interface ValueProps {
  value: string;
  onChange(value: string): void;
}

const describedBy = ({ id }: FrameProps) => `${id}-problem ${id}-hint`;

export function TextField({ value, onChange, ...frame }: FrameProps & FieldProps & ValueProps) {
  return (
    <Framed {...frame}>
      <input
        id={frame.id}
        className="field"
        autoComplete="off"
        dir="auto"
        value={value}
        disabled={frame.source !== undefined}
        aria-invalid={frame.problem !== ''}
        aria-describedby={describedBy(frame)}
        onChange={({ target }) => onChange(target.value)}
      />
    </Framed>
  );
}

/** Default licence, for articles whose author has chosen no licence. */
export function LicenceField({ value, onChange, ...frame }: FrameProps & ValueProps) {
  return (
    <Framed {...frame} label="默认的许可协议" hint="作者没有另选的文章用它。">
      <select
        id={frame.id}
        className="field"
        value={value}
        disabled={frame.source !== undefined}
        aria-describedby={describedBy(frame)}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">不写明</option>
        {Object.entries(LICENCES).map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </Framed>
  );
}

const OWN_COLOUR = '#2c4a84';

/** Accent colour. Any colour is valid: the server adjusts it for readability in both themes. */
export function AccentField({ value, onChange, ...frame }: FrameProps & ValueProps) {
  const isFixed = frame.source !== undefined;
  return (
    <Framed {...frame} label="主题色" hint="链接和按钮的颜色。深浅会自动调整，保证在两种主题下都看得清。">
      <div className="flex items-center gap-3">
        <input
          id={frame.id}
          type="color"
          className="flex-none w-14 h-11 p-1 border border-solid border-line rounded bg-transparent"
          value={value || OWN_COLOUR}
          disabled={isFixed}
          aria-describedby={describedBy(frame)}
          onChange={({ target }) => onChange(target.value)}
        />
        <span className="text-sm tabular-nums">{value || '原来的颜色'}</span>
        {value !== '' && !isFixed && (
          <button type="button" className="action" onClick={() => onChange('')}>
            恢复原来的颜色
          </button>
        )}
      </div>
    </Framed>
  );
}
