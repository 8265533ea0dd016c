import { useEffect, useRef, type ReactNode } from 'react';
import { QuietButton } from '../ui/Button.tsx';

interface Props {
  label: string;
  /** Sentences before the secret; the last one says that it is not shown again. */
  advice: string;
  /** Buttons before the one that closes the box. */
  actions: readonly { text: string; run: () => unknown }[];
  children: ReactNode;
  onEnd(): void;
}

/** Box with a secret that is shown once; takes the focus. */
export function ShownOnce({ label, advice, actions, children, onEnd }: Props) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <fieldset
      ref={box}
      tabIndex={-1}
      aria-label={label}
      className="m-0 mt-4 p-4 min-w-0 rounded border border-solid border-line"
    >
      <p className="text-sm">
        {advice}
        <strong>离开这里就不再显示。</strong>
      </p>
      {children}
      <p className="flex flex-wrap gap-3">
        {actions.map(({ text, run }, at) => (
          <button
            key={text}
            type="button"
            className={at === 0 ? 'button' : 'button-quiet'}
            onClick={() => void run()}
          >
            {text}
          </button>
        ))}
        <QuietButton onClick={onEnd}>已经存好</QuietButton>
      </p>
    </fieldset>
  );
}
