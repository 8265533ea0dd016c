import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { Writing } from '../writing/writing.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconButton } from '../writing/Icon.tsx';
import { QuietButton } from '../../ui/Button.tsx';
import { nest, type OutlineItem } from './headings.ts';
import type { Outline } from './outline.ts';
import type { OutlineChoice } from './use-outline.ts';

interface OutlineListProps {
  writing: Writing;
  onPick(index: number): void;
}

/**
 * Links to the headings of the text, with the one at the caret marked. Memoized, so typing does not re-render
 * it.
 */
const OutlineList = memo(function OutlineList({ writing, onPick }: OutlineListProps) {
  const [outline, setOutline] = useState<Outline | null>(null);
  useEffect(() => writing.watchOutline((next) => startTransition(() => setOutline(next))), [writing]);
  const headings = outline?.headings;
  const items = useMemo(() => nest(headings ?? []), [headings]);
  if (!outline) return null;
  if (items.length === 0)
    return (
      <p className="text-sm text-soft leading-relaxed">
        还没有标题。行首写「## 」再写标题，它就会出现在这里。
      </p>
    );
  return <Items items={items} current={outline.current} onPick={onPick} />;
});

interface ItemsProps extends Pick<OutlineListProps, 'onPick'> {
  items: readonly OutlineItem[];
  current: number;
}

function Items({ items, current, onPick }: ItemsProps) {
  return (
    <ol role="list" className="outline-items">
      {items.map(({ index, text, items: below }) => (
        <li key={index}>
          <Item text={text} isCurrent={index === current} onPick={() => onPick(index)} />
          {below.length > 0 && <Items items={below} current={current} onPick={onPick} />}
        </li>
      ))}
    </ol>
  );
}

function Item({ text, isCurrent, onPick }: { text: string; isCurrent: boolean; onPick(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <button
      ref={button}
      type="button"
      className="outline-item"
      aria-current={isCurrent ? 'location' : undefined}
      onClick={onPick}
    >
      <bdi>{text || '（空标题）'}</bdi>
    </button>
  );
}

interface Props {
  writing: Writing;
  choice: OutlineChoice;
  onShowText(): void;
}

export function OutlinePart({ writing, choice: { isBeside, isOpen, set }, onShowText }: Props) {
  if (isBeside)
    return (
      isOpen && (
        <nav className="desk-outline" aria-label="大纲">
          <div className="flex items-center justify-between">
            <h2 className="text-sm text-soft font-400">大纲</h2>
            <IconButton
              icon="close"
              className="text-soft"
              label="收起大纲"
              title="收起大纲"
              onClick={() => {
                set(false);
                writing.focus();
              }}
            />
          </div>
          <OutlineList writing={writing} onPick={writing.goToHeading} />
        </nav>
      )
    );
  const goTo = (index: number) => {
    set(false);
    onShowText();
    // Runs after the dialog has restored focus.
    requestAnimationFrame(() => writing.goToHeading(index));
  };
  return (
    <Dialog title="大纲" isOpen={isOpen} onClose={() => set(false)}>
      <div className="mt-3">
        <OutlineList writing={writing} onPick={goTo} />
      </div>
      <p className="sticky bottom--6 -mx-6 -mb-6 px-6 py-3 flex justify-end bg-raised">
        <QuietButton onClick={() => set(false)}>关闭</QuietButton>
      </p>
    </Dialog>
  );
}
