export function Problem({ text, onRetry }: { text: string; onRetry: () => void }) {
  if (text === '') return null;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-3 py-2 text-sm">
      {text}
      <button type="button" className="button-text" onClick={onRetry}>
        重试
      </button>
    </p>
  );
}
