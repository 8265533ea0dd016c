import { useEffect, useRef, useState } from 'react';
import { island } from '../ui/island.tsx';

/** How long the button says what became of the copy. */
const SAID_MS = 2_000;

/** Copies the code block it stands in; nothing where the browser lets no page write to the clipboard. */
export default island(function CopyCode() {
  const [said, setSaid] = useState<'复制' | '已复制' | '复制失败'>('复制');
  const [canCopy, setCanCopy] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setCanCopy('clipboard' in navigator);
    return () => clearTimeout(timer.current);
  }, []);
  if (!canCopy) return null;
  const say = (words: typeof said) => {
    setSaid(words);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid('复制'), SAID_MS);
  };
  return (
    <button
      type="button"
      className="copy-button"
      onClick={({ currentTarget }) => {
        // A long block stands in two pieces.
        const pieces = currentTarget.closest('.code-block')?.querySelectorAll('code') ?? [];
        const code = Array.from(pieces, ({ textContent }) => textContent).join('');
        navigator.clipboard.writeText(code).then(
          () => say('已复制'),
          () => say('复制失败'),
        );
      }}
    >
      <span aria-live="polite">{said}</span>
    </button>
  );
});
