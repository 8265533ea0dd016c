import { Icon } from '../writing/Icon.tsx';

/** Button in the upper corner that leaves the focus mode on devices without an Escape key. */
export function LeaveFocus({ onLeave }: { onLeave(): void }) {
  return (
    <button
      type="button"
      className="tool desk-leave"
      aria-label="退出专注模式"
      title="退出专注模式（Esc）"
      onClick={onLeave}
    >
      <Icon name="smallScreen" />
    </button>
  );
}
