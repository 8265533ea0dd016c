import type { Ref } from 'react';

interface Props {
  ref?: Ref<HTMLDivElement>;
  text: string;
  /** Sanitised HTML from the server or markdown/comment.ts; without it, `text` is shown as plain text. */
  html: string | undefined;
  className?: string;
}

export function CommentText({ ref, text, html, className = '' }: Props) {
  if (!html)
    return (
      <div ref={ref} className={`mt-1 whitespace-pre-wrap ${className}`} dir="auto">
        {text}
      </div>
    );
  return (
    <div
      ref={ref}
      className={`prose comment-prose mt-1 ${className}`}
      dir="auto"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
