import type { Ref } from 'react';

interface Props {
  ref?: Ref<HTMLDivElement>;
  /** As it was written. */
  text: string;
  /** Of the server or markdown/comment.ts, sanitised; where it is missing the text is shown as it is. */
  html: string | undefined;
  className?: string;
}

/** What a comment says. */
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
