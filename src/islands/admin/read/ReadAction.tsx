import { useState } from 'react';
import { Action } from '../../ui/Action.tsx';
import { lazyPart } from '../../ui/lazy.tsx';

const ReadDialog = lazyPart(() => import('./ReadDialog.tsx'));

interface Props {
  kind: 'article' | 'comment';
  id: string;
  /** Names the item for screen readers. */
  name: string;
}

/** Button that opens a whole article or comment for staff. */
export function ReadAction({ kind, id, name }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Action label={`看全文：${name}`} onClick={() => setOpen(true)}>
        看全文
      </Action>
      {isOpen && <ReadDialog kind={kind} id={id} onClose={() => setOpen(false)} />}
    </>
  );
}
