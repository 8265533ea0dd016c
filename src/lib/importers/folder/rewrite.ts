import { applyEdits, unedited, type Edit } from '../../markdown-file/edits.ts';
import { NOTION_ID } from '../../markdown-file/file-name.ts';
import { inspect, type Target } from '../../markdown-file/inspect.ts';

/** Another address, or a note in place of the whole link or picture. */
export type Replacement = { address: string } | { note: { text: string; html: string } };

export const keyOf = ({ url, isPicture }: Pick<Target, 'url' | 'isPicture'>): string =>
  `${isPicture ? '!' : ''}${url}`;

/** Finds addresses outside code. @throws Problem for a text that nests too deeply */
export function findAddresses(text: string) {
  const { targets } = inspect(text);
  return {
    /** Distinct addresses; one in both a link and a picture counts twice. */
    targets: [...new Map(targets.map((target) => [keyOf(target), target])).values()],
    rewrite: (replacementOf: (target: Target) => Replacement | undefined): string =>
      applyEdits(
        unedited(text),
        targets.flatMap((target) => editsFor(target, replacementOf(target))),
      ).text,
  };
}

function editsFor(target: Target, replacement: Replacement | undefined): Edit[] {
  if (!replacement) return [];
  const { start, end, whole, users = [] } = target;
  if ('address' in replacement) return [{ start, end, by: replacement.address }, ...labelEdits(target)];
  const { text, html } = replacement.note;
  return (whole ? [whole] : users).map((each) => ({
    start: each.start,
    end: each.end,
    by: each.isHtml ? html : withWords(text, each.text),
  }));
}

/** Removes the ids of Notion from a label that is the name of an exported file. */
function labelEdits({ whole, isPicture }: Target): Edit[] {
  const name = whole?.text.replace(/\.md$/, '') ?? '';
  if (!whole || whole.isHtml || isPicture || !NOTION_ID.test(name)) return [];
  const end = whole.start + 1 + whole.text.length;
  return [{ start: whole.start + 1, end, by: name.replace(NOTION_ID, '') }];
}

/** Inserts the label of the picture into a note, before its colon. */
const withWords = (note: string, words: string): string =>
  words.trim() === '' ? note : note.replace(/^（[^：]*/, (start) => `${start}“${words.trim()}”`);
