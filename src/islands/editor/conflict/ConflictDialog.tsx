import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { Draft, DraftFields } from '../../../lib/stores/draft/draft-types.ts';
import { isWithin } from '../../../lib/stores/draft/draft-fields.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { lazyPart } from '../../ui/lazy.tsx';
import { useOnce } from '../../ui/use-once.ts';
import type { Choice } from './pieces.ts';

const Conflict = lazyPart(() => import('./Conflict.tsx'), <p className="mt-4 text-soft">正在比较两份……</p>);

interface Props {
  draft: Draft;
  isOpen: boolean;
  onClose(): void;
}

type Made = { of: string; choices: readonly (Choice | undefined)[] };

/**
 * Resolves a conflict between two versions, piece by piece or as a whole. Both are kept if it is closed
 * without a choice.
 */
export function ConflictDialog({ draft, isOpen, onClose }: Props) {
  const conflict = useStore(draft.$conflict);
  const [isBusy, once] = useOnce();
  // Kept for these two versions while the dialog is closed.
  const [made, setMade] = useState<Made>({ of: '', choices: [] });
  if (!conflict) return null;
  const { mine, theirs } = conflict;
  const of = `${mine.time} ${theirs.time}`;
  const choose = (choice: 'mine' | 'theirs' | DraftFields) =>
    once(async () => {
      const fields = choice === 'mine' ? mine.fields : choice === 'theirs' ? theirs.fields : choice;
      await draft.resolve(choice);
      const isAllIn = [mine, theirs].every((version) => isWithin(version.fields, fields));
      if (!isAllIn) showNotice('没有用上的留在「写文章」的「没写完的」里，30 天内都找得回来');
      onClose();
    });
  return (
    <Dialog title="这篇文章在别处也改过" isOpen={isOpen} onClose={onClose} size="wide">
      <Conflict
        key={of}
        mine={mine}
        theirs={theirs}
        isBusy={isBusy}
        choices={made.of === of ? made.choices : []}
        onChoices={(choices) => setMade({ of, choices })}
        onResolve={(choice) => void choose(choice)}
        onClose={onClose}
      />
    </Dialog>
  );
}
