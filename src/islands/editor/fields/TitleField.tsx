import { useLayoutEffect, useRef, type Ref } from 'react';
import { ARTICLE_TITLE_ID, TITLE_ERROR_ID } from '../../../lib/shared/ids.ts';
import { BOUNDS, countCharacters } from '../../../lib/contract/rules/bounds.ts';
import { isComposing } from '../../ui/form/composition.ts';

const [, MAX_TITLE_CHARACTERS] = BOUNDS.title;
/** Length above which the number of remaining characters is shown. */
const COUNTDOWN_FROM_CHARACTERS = MAX_TITLE_CHARACTERS - 20;

interface Props {
  title: string;
  error: string | undefined;
  onChange(title: string): void;
  onEnter(): void;
  ref: Ref<HTMLTextAreaElement>;
}

export function TitleField({ title, error, onChange, onEnter, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const count = countCharacters(title);
  // For browsers without `field-sizing`.
  useLayoutEffect(() => {
    const field = frame.current?.querySelector('textarea');
    if (!field || CSS.supports('field-sizing', 'content')) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the height follows the text
  }, [title]);
  return (
    <div ref={frame}>
      <label htmlFor={ARTICLE_TITLE_ID} className="sr-only">
        标题
      </label>
      <textarea
        id={ARTICLE_TITLE_ID}
        ref={ref}
        className="title-input"
        rows={1}
        dir="auto"
        placeholder="标题"
        value={title}
        aria-invalid={error !== undefined || count > MAX_TITLE_CHARACTERS}
        aria-describedby={TITLE_ERROR_ID}
        onChange={({ target }) => onChange(target.value.replace(/[\r\n]+/g, ' '))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // Also blocks the Enter that ends input-method composition: a title has one line.
          event.preventDefault();
          if (!isComposing(event)) onEnter();
        }}
      />
      <p id={TITLE_ERROR_ID} role="alert" className="field-error mt-0 empty:hidden">
        {count > MAX_TITLE_CHARACTERS
          ? `标题不能超过 ${MAX_TITLE_CHARACTERS} 个字符，现在有 ${count} 个`
          : error}
      </p>
      {count > COUNTDOWN_FROM_CHARACTERS && count <= MAX_TITLE_CHARACTERS && (
        <p className="text-sm text-soft tabular-nums">
          {count} / {MAX_TITLE_CHARACTERS}
        </p>
      )}
    </div>
  );
}
