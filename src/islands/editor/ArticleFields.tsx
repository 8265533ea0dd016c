import { useEffect, useId, useRef, useState, type Ref } from 'react';
import chevronRight from '../../icons/chevron-right.svg?raw';
import { isOffered } from '../../lib/client/offered.ts';
import { IMAGE_TYPES } from '../../lib/client/picture.ts';
import { AUTHORED } from '../../lib/contract/authored-fields.ts';
import { countCharacters } from '../../lib/contract/bounds.ts';
import type { DraftFields } from '../../lib/stores/draft.ts';
import { cancelUpload, startUpload } from '../../lib/stores/uploads.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Writer } from './use-writer.ts';

const [, MOST] = AUTHORED.description.bounds;
/** The part of a cover that readers see. */
const FRAME = 'block w-full max-w-60 aspect-[16/9] rounded';

/** What an article may have besides title, tags and text; folded away until wanted, or refused. */
export function ArticleFields({ fields, errors, change }: Pick<Writer, 'fields' | 'errors' | 'change'>) {
  const { description = '', cover = '' } = fields;
  const [isOpen, setOpen] = useState(false);
  const error = errors['description'];
  const field = useRef<HTMLTextAreaElement>(null);
  const isOnlyError = error !== undefined && Object.keys(errors).length === 1;
  useEffect(() => {
    if (isOnlyError) field.current?.focus();
  }, [isOnlyError]);
  // A server of another make knows none of our own calls, and would drop these fields without a word.
  if (!isOffered('articleDelete')) return null;
  return (
    <details
      className="group"
      open={isOpen || error !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex items-center gap-2 min-h-11 text-sm text-soft cursor-pointer list-none hover:text-indigo">
        <span className="inline-flex flex-none transition-transform duration-150 group-open:rotate-90">
          <Icon svg={chevronRight} size={16} />
        </span>
        <span className="flex-none">摘要与封面</span>
        <bdi className="truncate group-open:invisible">{description || (cover && '有封面')}</bdi>
      </summary>
      <div className="pb-3 grid gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,1fr)_15rem] lg:(max-h-[38dvh] overflow-y-auto)">
        <DescriptionField
          ref={field}
          description={description}
          error={error}
          onChange={(value) => change({ description: value })}
        />
        <CoverField cover={cover} onChange={(value) => change({ cover: value })} />
      </div>
    </details>
  );
}

interface DescriptionProps {
  description: string;
  error: string | undefined;
  onChange(description: string): void;
  ref: Ref<HTMLTextAreaElement>;
}

function DescriptionField({ description, error, onChange, ref }: DescriptionProps) {
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
        aria-invalid={error !== undefined || count > MOST}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="mt-1 flex justify-between gap-4 text-sm text-soft leading-normal">
        <span>显示在文章列表和搜索引擎里，不写就用正文开头。</span>
        <span className="flex-none">
          <CharacterCount text={description} most={MOST} />
        </span>
      </p>
      <p id={`${id}-error`} role="alert" className="field-error empty:hidden">
        {count > MOST ? `摘要不能超过 ${MOST} 个字符，现在有 ${count} 个` : error}
      </p>
    </div>
  );
}

/** The picture above the article. Not yet arrived, it stands with the others at the desk's foot. */
function CoverField({ cover, onChange }: { cover: string; onChange(cover: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useRef<number>(null);
  const [isSending, setSending] = useState(false);
  useEffect(() => () => giveUp(upload.current), []);

  const send = (file: File) => {
    giveUp(upload.current);
    setSending(true);
    upload.current = startUpload(file, (url) => {
      upload.current = null;
      setSending(false);
      if (url !== null) onChange(url);
    });
  };
  const remove = () => {
    giveUp(upload.current);
    onChange('');
    input.current?.parentElement?.querySelector('button')?.focus();
  };
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0">
      <legend className="mb-1 p-0 text-sm text-soft">封面</legend>
      {cover ? (
        <img src={cover} alt="现在的封面" className={`${FRAME} object-cover bg-sunk`} />
      ) : (
        <p
          className={`${FRAME} flex! items-center justify-center border border-dashed border-line text-sm text-soft`}
        >
          {isSending ? '正在上传……' : '没有封面'}
        </p>
      )}
      <div className="flex gap-3">
        <button type="button" className="button-text" onClick={() => input.current?.click()}>
          {cover ? '换一张' : '选择图片'}
        </button>
        {cover && (
          <button type="button" className="button-text" onClick={remove}>
            去掉封面
          </button>
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept={IMAGE_TYPES}
          aria-label="选择封面"
          onChange={({ target }) => {
            if (target.files?.[0]) send(target.files[0]);
            // The same file may be chosen again.
            target.value = '';
          }}
        />
      </div>
    </fieldset>
  );
}

function giveUp(upload: number | null): void {
  if (upload !== null) cancelUpload(upload);
}

/** The same of a version beside another one; what differs has the ground of lines that do. */
export function FieldFacts({ fields, other }: { fields: DraftFields; other: DraftFields }) {
  return (['description', 'cover'] as const).map((name) => {
    const [own = '', others = ''] = [fields[name], other[name]];
    if (own === '' && others === '') return null;
    return (
      <div key={name} className={`mt-2 ${own === others ? '' : 'version-own'}`} dir="auto">
        <span className="text-soft">{AUTHORED[name].label}：</span>
        {name === 'cover' && own ? (
          <img src={own} alt="这一份的封面" className={`${FRAME} object-cover`} />
        ) : (
          own || '没有'
        )}
      </div>
    );
  });
}
