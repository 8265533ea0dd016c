import { inspect, type Target } from '../../markdown-file/inspect.ts';

/** The addresses of a markdown text, as written. */
export interface Addresses {
  urls: string[];
  /** Those of pictures, as written. */
  pictures: Set<string>;
  /** The text with the addresses `replacements` has others for; every other character stays as it is. */
  replace(replacements: ReadonlyMap<string, string>): string;
}

/** Where an address stands, or the tag that is to become markdown with that address in it. */
interface Place extends Target {
  /** The text that stands for the new address. */
  write(url: string): string;
}

/**
 * Finds addresses outside code. Hexo's `{% asset_img %}`, `{% asset_path %}`, `{% post_link %}` and Jekyll's
 * `{% post_url %}` become markdown when replaced.
 * @throws Problem for a text that nests too deeply
 */
export function findAddresses(text: string): Addresses {
  const { targets, code } = inspect(text);
  const isCode = (offset: number): boolean => code.some(({ start, end }) => start <= offset && offset < end);
  const places: Place[] = [
    ...targets.map((target) => ({ ...target, write: (url: string) => url })),
    ...tagsOf(text).filter(({ start }) => !isCode(start)),
  ];
  places.sort((a, b) => a.start - b.start);
  return {
    urls: places.map(({ url }) => url),
    pictures: new Set(places.filter(({ isPicture }) => isPicture).map(({ url }) => url)),
    replace(replacements) {
      let result = '';
      let position = 0;
      for (const { start, end, url, write } of places) {
        const replacement = replacements.get(url);
        if (replacement === undefined || start < position) continue;
        result += text.slice(position, start) + write(replacement);
        position = end;
      }
      return result + text.slice(position);
    },
  };
}

const TAG = /\{%-?\s*(asset_img|asset_path|post_link|post_url)\s+([^%\n]{1,500}?)\s*-?%\}/g;

function tagsOf(text: string): Place[] {
  return [...text.matchAll(TAG)].flatMap((match) => {
    const [whole, name = '', given = ''] = match;
    const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      (word) => word[1] ?? word[2] ?? word[3] ?? '',
    );
    const at = name === 'asset_img' ? words.findIndex((word) => /\.\w+$/.test(word)) : 0;
    const target = words[at];
    if (target === undefined) return [];
    const rest = words
      .slice(at + 1)
      .filter((word) => !/^\d+%?$/.test(word))
      .join(' ');
    const url = name.startsWith('post_') ? `${target.replace(/\.(?:md|markdown)$/, '')}.md` : target;
    const write = (address: string): string => {
      if (name === 'asset_img') return `![${rest}](${address})`;
      return name === 'post_link' ? `[${rest || target}](${address})` : address;
    };
    return [
      { start: match.index, end: match.index + whole.length, url, isPicture: name === 'asset_img', write },
    ];
  });
}
