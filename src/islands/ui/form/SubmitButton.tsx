interface Props {
  action: string;
  /** Text while the form is being sent. */
  busy: string;
  isBusy: boolean;
  className?: string;
}

/** Keeps focus while the form is being sent, unlike a disabled button. */
export const SubmitButton = ({ action, busy, isBusy, className = 'button' }: Props) => (
  <button
    type="submit"
    className={`${className} aria-disabled:(opacity-70 cursor-progress)`}
    aria-disabled={isBusy}
  >
    {isBusy ? busy : action}
  </button>
);
