import { inspect, type Target } from '../../markdown-file/inspect.ts';

/** What stands for an address: another one, or words in place of all that showed it. */
export type Replacement = { address: string } | { note: { text: string; html: string } };

/** The addresses of a markdown text, as written. */
export interface Addresses {
  urls: string[];
  /** Those of pictures. */
  pictures: Set<string>;
  /** Each address once; the same in a link and in a picture are two. */
  targets: Pick<Target, 'url' | 'isPicture' | 'isMedium'>[];
  /** The text with the addresses `replacements` has others for; every other character stays as it is. */
  replace(replacements: ReadonlyMap<string, string>): string;
  /** The same, where the replacements of `targets` are named by `keyOf`. */
  rewrite(replacements: ReadonlyMap<string, Replacement>): string;
}

/** Names an address of `targets` among replacements. */
export const keyOf = ({ url, isPicture }: Pick<Target, 'url' | 'isPicture'>): string =>
  `${isPicture ? '!' : ''}${url}`;

/**
 * Finds addresses outside code.
 * @throws Problem for a text that nests too deeply
 */
export function findAddresses(text: string): Addresses {
  const { targets } = inspect(text);
  const write = (replacementOf: (target: Target) => Replacement | undefined): string =>
    apply(
      text,
      targets.flatMap((target) => editsFor(target, replacementOf(target))),
    );
  return {
    urls: targets.map(({ url }) => url),
    pictures: new Set(targets.filter(({ isPicture }) => isPicture).map(({ url }) => url)),
    targets: [...new Map(targets.map((target) => [keyOf(target), target])).values()],
    replace: (replacements) =>
      write(({ url }) => {
        const address = replacements.get(url);
        return address === undefined ? undefined : { address };
      }),
    rewrite: (replacements) => write((target) => replacements.get(keyOf(target))),
  };
}

interface Edit {
  start: number;
  end: number;
  by: string;
}

/** Of edits that lie within one another the outer counts. */
function apply(text: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < position) continue;
    result += text.slice(position, start) + by;
    position = end;
  }
  return result + text.slice(position);
}

function editsFor(target: Target, replacement: Replacement | undefined): Edit[] {
  if (!replacement) return [];
  const { start, end, whole, users = [] } = target;
  if ('address' in replacement) return [{ start, end, by: replacement.address }];
  const { text, html } = replacement.note;
  return (whole ? [whole] : users).map((each) => ({
    start: each.start,
    end: each.end,
    by: each.isHtml ? html : withWords(text, each.text),
  }));
}

/** A note, and before its last sign the words that would have been read in place of the picture. */
const withWords = (note: string, words: string): string =>
  words.trim() === '' ? note : note.replace(/^（[^：]*/, (start) => `${start}“${words.trim()}”`);
