import { useId, type Ref } from 'react';
import { AUTHORED } from '../../../lib/contract/rules/authored-fields.ts';
import { countCharacters } from '../../../lib/contract/rules/bounds.ts';
import { CharacterCount } from '../../ui/form/CharacterCount.tsx';

const [, MAX_DESCRIPTION_CHARACTERS] = AUTHORED.description.bounds;

interface Props {
  description: string;
  error: string | undefined;
  onChange(description: string): void;
  ref: Ref<HTMLTextAreaElement>;
}

/** Summary for lists and search engines, instead of the start of the article. */
export function DescriptionField({ description, error, onChange, ref }: Props) {
  const id = useId();
  const count = countCharacters(description.trim());
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block mb-1 text-sm text-soft">
        摘要
      </label>
      <textarea
        id={id}
        ref={ref}
        className="field block resize-y"
        rows={3}
        dir="auto"
        value={description}
        aria-invalid={error !== undefined || count > MAX_DESCRIPTION_CHARACTERS}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="mt-1 flex justify-between gap-4 text-sm text-soft leading-normal">
        <span>显示在文章列表和搜索引擎里，不写就用正文开头。</span>
        <span className="flex-none">
          <CharacterCount text={description} most={MAX_DESCRIPTION_CHARACTERS} />
        </span>
      </p>
      <p id={`${id}-error`} role="alert" className="field-error empty:hidden">
        {count > MAX_DESCRIPTION_CHARACTERS
          ? `摘要不能超过 ${MAX_DESCRIPTION_CHARACTERS} 个字符，现在有 ${count} 个`
          : error}
      </p>
    </div>
  );
}
