import { useLayoutEffect, useRef, useState } from 'react';

/** Text as it was typed. What is longer than eight lines is cut, with a button that shows the rest. */
export function Clamped({ text }: { text: string }) {
  const body = useRef<HTMLParagraphElement>(null);
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
      <p ref={body} dir="auto" className={`mt-1 whitespace-pre-wrap ${isOpen ? '' : 'line-clamp-8'}`}>
        {text}
      </p>
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
