import { Icon } from './Icon.tsx';

/** The way out of the focus mode for whoever has no Escape key, at the upper corner. */
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
