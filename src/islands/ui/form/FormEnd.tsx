interface Props {
  /** Error of the form as a whole; '' for none. */
  problem: string;
  problemId?: string;
  isBusy: boolean;
  action?: string;
  onEnd?: () => void;
}

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
