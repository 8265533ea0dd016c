interface Props {
  /** What went wrong with the form as a whole; '' where nothing did. */
  problem: string;
  /** For fields that are described by it. */
  problemId?: string;
  isBusy: boolean;
  /** What the button says. */
  action?: string;
  /** Closes the form; without it there is nothing to close. */
  onEnd?: () => void;
}

/** How a form that saves ends: what went wrong, the button that sends it, the one that closes it. */
export function FormEnd({ problem, problemId, isBusy, action = '保存', onEnd }: Props) {
  return (
    <>
      <p id={problemId} role="alert" className="field-error empty:hidden">
        {problem}
      </p>
      <div className="flex gap-3">
        <button
          type="submit"
          className="button aria-disabled:(opacity-70 cursor-progress)"
          aria-disabled={isBusy}
        >
          {isBusy ? '正在保存…' : action}
        </button>
        {onEnd && (
          <button type="button" className="button-quiet bg-transparent cursor-pointer" onClick={onEnd}>
            取消
          </button>
        )}
      </div>
    </>
  );
}
