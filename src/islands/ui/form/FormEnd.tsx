import { QuietButton } from '../Button.tsx';

interface SubmitButtonProps {
  action: string;
  /** Text while the form is being sent. */
  busy: string;
  isBusy: boolean;
  className?: string;
}

/** Keeps focus while the form is being sent, unlike a disabled button. */
export const SubmitButton = ({ action, busy, isBusy, className = 'button' }: SubmitButtonProps) => (
  <button
    type="submit"
    className={`${className} aria-disabled:(opacity-70 cursor-progress)`}
    aria-disabled={isBusy}
  >
    {isBusy ? busy : action}
  </button>
);

interface Props {
  /** Error of the form as a whole; '' for none. */
  problem: string;
  problemId?: string;
  isBusy: boolean;
  action?: string;
  /** Text of the button while the form is being sent. */
  busy?: string;
  isDangerous?: boolean | undefined;
  className?: string;
  onEnd?: (() => void) | undefined;
  endAction?: string;
}

export function FormEnd(props: Props) {
  const {
    problem,
    problemId,
    isBusy,
    action = '保存',
    busy = '正在保存…',
    onEnd,
    endAction = '取消',
  } = props;
  const { isDangerous = false, className = '' } = props;
  return (
    <>
      <p id={problemId} role="alert" className={`field-error empty:hidden ${className}`}>
        {problem}
      </p>
      <div className="flex gap-3">
        <SubmitButton {...{ action, busy, isBusy }} className={isDangerous ? 'button-danger' : 'button'} />
        {onEnd && <QuietButton onClick={onEnd}>{endAction}</QuietButton>}
      </div>
    </>
  );
}
