import type { Inspection } from '../../../lib/contract/calls/review-calls.ts';
import { isWhole, type Listed, type Seen } from '../../../lib/stores/staff-reads.ts';
import { STATES } from '../content-kinds.ts';
import { Difference, type DifferenceProps } from './Difference.tsx';

interface Props {
  read: Inspection;
  /** The item as staff had seen it before. */
  seen: Seen | undefined;
  refusal: string | undefined;
}

/** Shows a message that may be out of sight, above the button that was pressed. */
const focus = (message: HTMLElement | null): void => message?.focus();

/** Announces what has changed since staff has seen the item; nothing if it is the same. */
export function Since({ read, seen, refusal }: Props) {
  const isChanged = seen !== undefined && seen.version !== read.version;
  if (refusal === undefined && !isChanged) return null;
  const { before, after } = isChanged ? textsOf(seen, read) : { before: null, after: null };
  return (
    <div className="mt-3 grid gap-2">
      <output key={read.version} ref={focus} tabIndex={-1} className="block text-vermilion">
        {refusal ?? '你看过之后有改动，请看过现在的内容再决定。'}
      </output>
      {isChanged && !isWhole(seen) && read.kind === 'article' && (
        <p>你还没有看过全文，只在列表里看过一部分。其余的改动这里标不出来，请看完全文再决定。</p>
      )}
      {isChanged && isWhole(seen) && seen.state !== read.state && (
        <p>
          状态：{STATES[seen.state]} → {STATES[read.state]}
        </p>
      )}
      {before && JSON.stringify(before) !== JSON.stringify(after) && (
        <Difference name="你看过之后的改动" before={before} after={after} titles={read.series_titles} />
      )}
    </div>
  );
}

type Texts = Pick<DifferenceProps, 'before' | 'after'>;

const textsOf = (seen: Seen, read: Inspection): Texts =>
  isWhole(seen) ? { before: decidedText(seen), after: decidedText(read) } : listedTexts(seen, read);

/** Text on which staff decides: of the change that waits, or of the item. */
const decidedText = ({ title, content, fields, change }: Inspection): DifferenceProps['after'] => ({
  title,
  content,
  ...(fields ? { fields } : {}),
  ...change,
});

/** Parts that a row of a list shows, as they were and as they are. */
function listedTexts({ title, content, is_change }: Listed, read: Inspection): Texts {
  const now = (is_change && read.change) || read;
  if (read.kind === 'comment') {
    const after = { title: '', content: now.content };
    return { before: { ...after, content: content ?? after.content }, after };
  }
  // A list shows the first characters of a change, and the summary of an article.
  const beginning = now === read ? read.summary : now.content.slice(0, content?.length);
  const after = { title: now.title, content: beginning };
  return { before: { title: title ?? after.title, content: content ?? after.content }, after };
}
