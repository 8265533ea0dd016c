import { Dialog } from '../../ui/Dialog.tsx';
import { MainButton, QuietButton } from '../../ui/Button.tsx';

interface Props {
  name: string;
  onReplace(): void;
  onInsert(): void;
  onClose(): void;
}

/** Asks whether a file replaces the text or is inserted, if the editor is not empty. */
export default function ImportDialog({ name, onReplace, onInsert, onClose }: Props) {
  const answer = (run: () => void) => () => {
    run();
    onClose();
  };
  return (
    <Dialog title="这里已经写了字" isOpen onClose={onClose}>
      <p className="mt-2 text-soft break-words" dir="auto">
        「{name}」放在哪里？换掉后可以撤销；放在光标处只用它的正文，标题和标签不变。
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <QuietButton onClick={onClose}>取消</QuietButton>
        <QuietButton onClick={answer(onInsert)}>放在光标处</QuietButton>
        <MainButton onClick={answer(onReplace)}>换成这个文件</MainButton>
      </div>
    </Dialog>
  );
}
