import { useEffect, useId, useRef, useState, type Ref } from 'react';
import { AUTHORED } from '../../../lib/contract/rules/authored-fields.ts';
import { countCharacters } from '../../../lib/contract/rules/bounds.ts';
import { CharacterCount } from '../../ui/form/CharacterCount.tsx';
import { LICENCES } from '../../../lib/contract/rules/licences.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { CoverField } from '../../ui/form/CoverField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Toggle } from '../../ui/form/Toggle.tsx';
import type { Writer } from '../writing/use-writer.ts';
import { SlugField } from './SlugField.tsx';
import { SeriesField } from './SeriesField.tsx';
import { MainButton } from '../../ui/Button.tsx';

const [, MAX_DESCRIPTION_CHARACTERS] = AUTHORED.description.bounds;

interface DescriptionFieldProps {
  description: string;
  error: string | undefined;
  onChange(description: string): void;
  ref: Ref<HTMLTextAreaElement>;
}

/** Summary for lists and search engines, instead of the start of the article. */
function DescriptionField({ description, error, onChange, ref }: DescriptionFieldProps) {
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

const { rule, bounds } = AUTHORED.source;

/**
 * Whether the article is a reprint, and the URL of the original. An incomplete URL is kept in this field
 * only, because the server would refuse the draft.
 */
function SourceField({ source, onChange }: { source: string; onChange(source: string): void }) {
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

type Props = Pick<Writer, 'fields' | 'errors' | 'articleId' | 'change' | 'isPage'> & { onClose(): void };

/** Settings of an article. Each change is saved immediately, like the text. */
export default function SettingsDialog({ fields, errors, articleId, change, isPage, onClose }: Props) {
  const { description = '', cover = '', series = '', source = '', licence = '', slug = '' } = fields;
  const descriptionField = useRef<HTMLTextAreaElement>(null);
  const error = errors['description'];
  useEffect(() => {
    if (error !== undefined) descriptionField.current?.focus();
  }, [error]);
  return (
    <Dialog title="文章设置" isOpen onClose={onClose}>
      <div className="mt-4 grid gap-6">
        <DescriptionField
          ref={descriptionField}
          description={description}
          error={error}
          onChange={(value) => change({ description: value })}
        />
        {/* The address of a page is set in the console. */}
        {!isPage && (
          <SlugField
            slug={slug}
            title={fields.title}
            articleId={articleId}
            error={errors['slug']}
            onChange={(value) => change({ slug: value })}
          />
        )}
        <CoverField cover={cover} onChange={(value) => change({ cover: value })} />
        {!isPage && <SeriesField series={series} onChange={(value) => change({ series: value })} />}
        <SourceField source={source} onChange={(value) => change({ source: value })} />
        <LicenceField licence={licence} onChange={(value) => change({ licence: value })} />
        <div className="grid gap-1">
          <Toggle
            isOn={!fields.comments_closed}
            onChange={(isOn) => change({ comments_closed: !isOn })}
            hint="关掉后已有的评论仍然显示，只是不能再写。"
          >
            允许评论
          </Toggle>
          {!isPage && (
            <Toggle
              isOn={fields.pinned ?? false}
              onChange={(isOn) => change({ pinned: isOn })}
              hint="排在自己主页的最前面，最多 5 篇，取最近发布的。"
            >
              在主页置顶
            </Toggle>
          )}
        </div>
      </div>
      <div className="mt-6 flex justify-end">
        <MainButton onClick={onClose}>完成</MainButton>
      </div>
    </Dialog>
  );
}

function LicenceField({ licence, onChange }: { licence: string; onChange(licence: string): void }) {
  return (
    <Choice label="许可协议" value={licence} onChange={onChange}>
      <option value="">不声明</option>
      {Object.entries(LICENCES).map(([name, each]) => (
        <option key={name} value={name}>
          {each.name}
        </option>
      ))}
    </Choice>
  );
}
