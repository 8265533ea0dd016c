import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { IMAGE_TYPES } from '../../../lib/client/picture.ts';
import type { Question } from '../commands/asking.ts';
import { FileInput } from '../../ui/form/FileInput.tsx';
import { EmojiDialog } from '../pickers/emoji-part.ts';
import { LanguageDialog } from '../pickers/LanguageDialog.tsx';
import { TableDialog } from '../pickers/TableDialog.tsx';
import { openWriting, type WritingOptions } from './codemirror.ts';
import type { Writing } from './writing.ts';

interface Props extends Omit<WritingOptions, 'parent' | 'onAsk'> {
  /** Called with the interface once CodeMirror has loaded, and with null on unmount. */
  onReady(writing: Writing | null): void;
}

/**
 * CodeMirror and the dialogs of its commands. React renders the container once and does not touch it
 * afterwards.
 */
export default function WritingPane(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [text, setText] = useState<Writing | null>(null);
  const pictures = useRef<HTMLInputElement>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  // Browsers open the file dialog only during a user gesture.
  const ask = (next: Question) => (next === 'picture' ? pictures.current?.click() : setQuestion(next));
  const onChange = useEffectEvent(props.onChange);
  const onRefused = useEffectEvent(props.onRefused);
  const onPasted = useEffectEvent(props.onPasted);
  const onPicture = useEffectEvent(props.onPicture);
  const covered = useEffectEvent(props.covered);
  const onAsk = useEffectEvent(ask);
  const open = useEffectEvent((parent: HTMLElement) =>
    openWriting({ ...props, parent, onChange, onRefused, onPasted, onPicture, covered, onAsk }),
  );
  const reportReady = useEffectEvent((writing: Writing | null) => {
    setText(writing);
    props.onReady(writing);
  });
  const close = () => setQuestion(null);
  useEffect(() => {
    if (!frame.current) return undefined;
    const { writing, close: end } = open(frame.current);
    reportReady(writing);
    return () => {
      reportReady(null);
      end();
    };
  }, []);
  return (
    <>
      <div ref={frame} className="writing" />
      <FileInput
        ref={pictures}
        multiple
        accept={IMAGE_TYPES}
        label="选择图片"
        onFile={(_, files) => text?.addPictures(files)}
      />
      {text && question === 'language' && <LanguageDialog writing={text} onClose={close} />}
      {text && question === 'emoji' && <EmojiDialog writing={text} onClose={close} />}
      {text && question === 'table' && <TableDialog writing={text} onClose={close} />}
    </>
  );
}
