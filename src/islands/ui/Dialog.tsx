import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  isOpen: boolean;
  onClose(): void;
  size?: 'text' | 'wide';
  /** At the top, the keyboard of a phone does not cover it. */
  place?: 'middle' | 'top';
  children: ReactNode;
}

/** Modal dialog, also over another one. Traps focus, restores it on close, and closes on Escape. */
export function Dialog({ title, isOpen, onClose, size = 'text', place = 'middle', children }: Props) {
  const width = size === 'wide' ? 'max-w-wide' : 'max-w-120';
  const where = place === 'top' ? 'top-5 lg:top-[12vh] [translate:-50%_0]' : 'top-1/2 [translate:-50%_-50%]';
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className="fixed inset-0 z-30 bg-black/40" />
        <Base.Popup
          className={`fixed left-1/2 z-30 ${where} w-[calc(100%-2.5rem)] ${width} max-h-[calc(100dvh-2.5rem)] overflow-y-auto overscroll-contain p-6 rounded bg-raised shadow-float`}
        >
          <Base.Title className="m-0 text-lg font-700">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
