import { CommentText } from './CommentText.tsx';
import { foldOf } from './fold-of.ts';

/**
 * Text of a comment. A long one is folded to its first lines, with a native disclosure that works without
 * scripts. Its full text stays available to screen readers and find-in-page. It is shown in full if the URL
 * points to the comment, if a link inside has keyboard focus, and in print (article.css).
 */
export function FoldedText({ text, html }: { text: string; html: string | undefined }) {
  const fold = foldOf(text);
  if (fold === '') return <CommentText {...{ text, html }} />;
  return (
    <>
      <CommentText {...{ text, html }} className={`fold fold-${fold}`} />
      {/* A reader may open it before hydration. */}
      <details className={`unfold unfold-${fold}`} data-print="hide" suppressHydrationWarning>
        <summary className="button-text ml--1 text-sm list-none">
          <span className="unfold-more">展开全文</span>
          <span className="unfold-less">收起</span>
        </summary>
      </details>
    </>
  );
}
