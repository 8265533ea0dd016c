interface Props {
  /** '' for none. */
  text: string;
  action?: string;
  className?: string;
  onRetry: () => void;
}

export function Problem({ text, action = '重试', className, onRetry }: Props) {
  if (text === '') return null;
  return (
    <p role="alert" className={className ?? 'flex flex-wrap items-center gap-x-3 py-2 text-sm'}>
      {text}
      <button type="button" className="button-text" onClick={onRetry}>
        {action}
      </button>
    </p>
  );
}
