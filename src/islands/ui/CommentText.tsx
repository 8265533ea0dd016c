interface Props {
  text: string;
  /** Sanitised HTML from the server or markdown/comment.ts; without it, `text` is shown as plain text. */
  html: string | undefined;
  className?: string;
}

export function CommentText({ text, html, className = '' }: Props) {
  if (!html)
    return (
      <div className={`mt-1 whitespace-pre-wrap ${className}`} dir="auto">
        {text}
      </div>
    );
  return (
    <div
      className={`prose comment-prose mt-1 ${className}`}
      dir="auto"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
