import { useEffect, useId, useRef, useState } from 'react';
import { icons } from '../../components/icons.ts';
import { AUTHORED } from '../../lib/contract/authored-fields.ts';
import { countCharacters } from '../../lib/contract/bounds.ts';
import type { DraftFields } from '../../lib/stores/draft.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Writer } from './use-writer.ts';

const [, MOST] = AUTHORED.description.bounds;

/** What an article may have besides title, tags and text. Folded away until the writer wants it, or it is refused. */
export function ArticleFields({ fields, errors, change }: Pick<Writer, 'fields' | 'errors' | 'change'>) {
  const { description = '' } = fields;
  const [isOpen, setOpen] = useState(false);
  const error = errors['description'];
  const field = useRef<HTMLTextAreaElement>(null);
  const isOnlyError = error !== undefined && Object.keys(errors).length === 1;
  useEffect(() => {
    if (isOnlyError) field.current?.focus();
  }, [isOnlyError]);
  return (
    <details
      className="group"
      open={isOpen || error !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex items-center gap-2 min-h-11 text-sm text-soft cursor-pointer list-none hover:text-indigo">
        <span className="inline-flex flex-none transition-transform duration-150 group-open:rotate-90">
          <Icon svg={icons.chevronRight} />
        </span>
        <span className="flex-none">摘要</span>
        <bdi className="truncate group-open:invisible">{description}</bdi>
      </summary>
      <div className="pb-3 lg:(max-h-[38dvh] overflow-y-auto)">
        <DescriptionField
          ref={field}
          description={description}
          error={error}
          onChange={(value) => change({ description: value })}
        />
      </div>
    </details>
  );
}

interface DescriptionProps {
  description: string;
  error: string | undefined;
  onChange(description: string): void;
  ref: React.Ref<HTMLTextAreaElement>;
}

function DescriptionField({ description, error, onChange, ref }: DescriptionProps) {
  const id = useId();
  const count = countCharacters(description.trim());
  return (
    <>
      <label htmlFor={id} className="sr-only">
        摘要
      </label>
      <textarea
        id={id}
        ref={ref}
        className="field block resize-y"
        rows={3}
        dir="auto"
        value={description}
        aria-invalid={error !== undefined || count > MOST}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="mt-1 flex justify-between gap-4 text-sm text-soft">
        <span>显示在文章列表和搜索引擎里，不写就用正文开头。</span>
        <span className="flex-none">
          <CharacterCount text={description} most={MOST} />
        </span>
      </p>
      <p id={`${id}-error`} role="alert" className="field-error empty:hidden">
        {count > MOST ? `摘要不能超过 ${MOST} 个字符，现在有 ${count} 个` : error}
      </p>
    </>
  );
}

/** The same of a version beside another one; what differs has the ground of lines that do. */
export function FieldFacts({ fields, other }: { fields: DraftFields; other: DraftFields }) {
  const differs = (fields.description ?? '') !== (other.description ?? '');
  if (!differs && !fields.description) return null;
  return (
    <p className={`mt-2 ${differs ? 'version-own' : ''}`} dir="auto">
      <span className="text-soft">摘要：</span>
      {fields.description || '没有'}
    </p>
  );
}
