import { useId, useState } from 'react';
import { AUTHORED } from '../../../lib/contract/rules/authored-fields.ts';

const { rule, bounds } = AUTHORED.source;

interface Props {
  source: string;
  onChange(source: string): void;
}

/**
 * Whether the article is a reprint, and the URL of the original. An incomplete URL is kept in this field
 * only, because the server would refuse the draft.
 */
export function SourceField({ source, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(source);
  const [isReprint, setReprint] = useState(source !== '');
  const [isLeft, setLeft] = useState(false);
  const address = typed.trim();
  const isRight = rule.accepts(address) && address.length <= bounds[1];
  const choose = (next: boolean) => {
    setReprint(next);
    onChange(next && isRight ? address : '');
  };
  const type = (text: string) => {
    setTyped(text);
    setLeft(false);
    const next = text.trim();
    onChange(rule.accepts(next) && next.length <= bounds[1] ? next : '');
  };
  const problem = isLeft && !isRight ? rule.says : '';
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0">
      <legend className="mb-1 p-0 text-sm text-soft">来源</legend>
      <div className="flex gap-6">
        {[false, true].map((value) => (
          <label key={String(value)} className="inline-flex items-center gap-2 min-h-11 cursor-pointer">
            <input type="radio" name={id} checked={isReprint === value} onChange={() => choose(value)} />
            {value ? '转载' : '原创'}
          </label>
        ))}
      </div>
      {isReprint && (
        <>
          <input
            type="url"
            inputMode="url"
            className="field"
            aria-label={AUTHORED.source.label}
            placeholder="https://"
            value={typed}
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-hint ${id}-error`}
            onChange={({ target }) => type(target.value)}
            onBlur={() => setLeft(true)}
          />
          <p id={`${id}-hint`} className="mt-1 text-sm text-soft leading-normal">
            填上原文地址，文章末尾会注明转载自哪里。
          </p>
          <p id={`${id}-error`} role="alert" className="field-error empty:hidden">
            {problem}
          </p>
        </>
      )}
    </fieldset>
  );
}
