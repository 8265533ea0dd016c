import { TextButton } from '../Button.tsx';

interface Props {
  /** '' for none. */
  text: string;
  action?: string;
  className?: string;
  onRetry: () => void;
}

/** A text that names the settings gets a link to them. */
const SETTINGS = '「账号设置」';

export function Problem({ text, action = '重试', className, onRetry }: Props) {
  if (text === '') return null;
  return (
    <p role="alert" className={className ?? 'flex flex-wrap items-center gap-x-3 py-2 text-sm'}>
      {text}
      {text.includes(SETTINGS) && (
        <a href="/user/settings" className="button-text">
          去{SETTINGS}
        </a>
      )}
      <TextButton onClick={onRetry}>{action}</TextButton>
    </p>
  );
}
