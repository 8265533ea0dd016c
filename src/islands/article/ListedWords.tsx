import { useEffect } from 'react';
import { island } from '../ui/island.tsx';

/** Highlights listed words in the title and text of an article, for staff. */
export default island(function ListedWords({ words }: { words: readonly string[] }) {
  useEffect(() => {
    for (const part of document.querySelectorAll('.page-title, .prose'))
      for (const word of words) markIn(part, word);
  }, [words]);
  return null;
});

function markIn(part: Element, word: string): void {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts.filter(({ parentElement }) => parentElement?.localName !== 'mark')) {
    let rest = text;
    for (let at = rest.data.indexOf(word); at >= 0; at = rest.data.indexOf(word)) {
      const found = rest.splitText(at);
      rest = found.splitText(word.length);
      const mark = document.createElement('mark');
      mark.className = 'listed-word';
      found.replaceWith(mark);
      mark.append(found);
    }
  }
}
