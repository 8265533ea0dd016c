import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../writing/Icon.tsx';
import type { Writing } from '../writing/writing.ts';
import { OutlineList } from './OutlineList.tsx';
import type { OutlineChoice } from './use-outline.ts';
import { QuietButton } from '../../ui/Button.tsx';

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
            <button
              type="button"
              className="tool text-soft"
              aria-label="收起大纲"
              title="收起大纲"
              onClick={() => {
                set(false);
                writing.focus();
              }}
            >
              <Icon name="close" />
            </button>
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
