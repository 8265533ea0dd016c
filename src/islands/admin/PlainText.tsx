/** What somebody has written, all of it and as it was typed: whoever decides about it has to read it. */
export function PlainText({ text }: { text: string }) {
  return (
    <p className="leading-relaxed whitespace-pre-line break-words" dir="auto">
      {text}
    </p>
  );
}
