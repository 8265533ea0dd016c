import { useState } from 'react';
import chevronRight from '../../../icons/chevron-right.svg?raw';
import { isOffered } from '../../../lib/client/offered.ts';
import { FIELD_NAMES, specOf } from '../../../lib/contract/rules/authored-fields.ts';
import type { DraftFields } from '../../../lib/stores/draft/draft-types.ts';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy.tsx';
import type { Writer } from '../writing/use-writer.ts';

const SettingsDialog = lazyPart(() => import('../settings/SettingsDialog.tsx'));

type Props = Pick<Writer, 'fields' | 'errors' | 'articleId' | 'change' | 'isPage'>;

/** Button that opens the settings dialog, with a summary of what is set. */
export function ArticleFields(writer: Props) {
  const { fields, errors } = writer;
  const [isOpen, setOpen] = useState(false);
  const [shownErrors, setShownErrors] = useState(errors);
  const isRefused = FIELD_NAMES.some((name) => specOf(name).isExtra && errors[name] !== undefined);
  // A refusal by the server opens the dialog once; the author can still close it.
  if (errors !== shownErrors) {
    setShownErrors(errors);
    if (isRefused) setOpen(true);
  }
  // Other servers do not know our own calls and would silently drop these fields.
  if (!isOffered('articleDelete')) return null;
  return (
    <>
      <button
        type="button"
        className="flex items-center gap-2 w-full min-h-11 p-0 border-0 bg-transparent text-sm text-soft text-left cursor-pointer hover:text-indigo"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className="inline-flex flex-none">
          <Icon svg={chevronRight} size={16} />
        </span>
        <span className="flex-none">文章设置</span>
        <bdi className="truncate">{summaryOf(fields)}</bdi>
      </button>
      {isOpen && <SettingsDialog {...writer} onClose={() => setOpen(false)} />}
    </>
  );
}

function summaryOf({ description, ...fields }: DraftFields): string {
  const facts = [
    fields.cover && '有封面',
    fields.series && '在专栏里',
    fields.source && '转载',
    fields.slug && `地址 ${fields.slug}`,
    fields.pinned && '置顶',
    fields.comments_closed && '不开评论',
    description,
  ];
  return facts.filter(Boolean).join(' · ');
}
