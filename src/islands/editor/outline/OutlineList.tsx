import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { Writing } from '../writing/writing.ts';
import { nest, type OutlineItem } from './headings.ts';
import type { Outline } from './outline.ts';

interface Props {
  writing: Writing;
  onPick(index: number): void;
}

/**
 * Links to the headings of the text, with the one at the caret marked. Memoized, so typing does not re-render
 * it.
 */
export const OutlineList = memo(function OutlineList({ writing, onPick }: Props) {
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

interface ItemsProps extends Pick<Props, 'onPick'> {
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
