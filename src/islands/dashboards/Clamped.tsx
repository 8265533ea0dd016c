import { useLayoutEffect, useRef, useState } from 'react';
import { CommentText } from '../ui/CommentText.tsx';

/** What a comment says. What is longer than eight lines is cut, with a button that shows the rest. */
export function Clamped({ text, html }: { text: string; html: string | undefined }) {
  const body = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = body.current;
    if (!element || isOpen) return undefined;
    // Lines depend on the width.
    const watcher = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 1));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isOpen]);
  return (
    <>
      <CommentText ref={body} {...{ text, html }} className={isOpen ? '' : 'line-clamp-8'} />
      {isLong && (
        <button
          type="button"
          className="button-text min-w-11 text-sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '收起' : '展开'}
        </button>
      )}
    </>
  );
}
