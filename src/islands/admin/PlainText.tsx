/** Full source text of an article or comment, so staff can judge all of it. */
export function PlainText({ text }: { text: string }) {
  return (
    <p className="leading-relaxed whitespace-pre-line break-words" dir="auto">
      {text}
    </p>
  );
}
