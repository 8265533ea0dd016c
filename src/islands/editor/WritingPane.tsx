import { useEffect, useEffectEvent, useRef } from 'react';
import { openWriting } from './codemirror.ts';
import type { Writing } from './writing.ts';

export interface WritingPaneProps {
  /** Shown at first; later texts through `Writing.show`. */
  content: string;
  onChange(content: string): void;
  onRefused(sentence: string): void;
  covered(): { top: number; bottom: number };
  /** Told when the text can be written, and null when no longer. */
  onReady(writing: Writing | null): void;
}

/** The text being written. React draws its frame once and stays away from it. */
export default function WritingPane(props: WritingPaneProps) {
  const frame = useRef<HTMLDivElement>(null);
  const onChange = useEffectEvent(props.onChange);
  const onRefused = useEffectEvent(props.onRefused);
  const covered = useEffectEvent(props.covered);
  const open = useEffectEvent((parent: HTMLElement) =>
    openWriting({ ...props, parent, onChange, onRefused, covered }),
  );
  const tell = useEffectEvent(props.onReady);
  useEffect(() => {
    if (!frame.current) return undefined;
    const { writing, close } = open(frame.current);
    tell(writing);
    return () => {
      tell(null);
      close();
    };
  }, []);
  return <div ref={frame} className="writing" />;
}
