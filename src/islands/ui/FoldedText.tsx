import { CommentText } from './CommentText.tsx';
import { foldOf } from './fold-of.ts';

/**
 * What a comment says; of a long one the first lines, with a native disclosure below that shows the rest and
 * needs no script. The whole is there for screen readers and for a search in the page. The comment of the
 * address, a link in it that the keyboard reaches, and paper show it whole (article.css).
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
