import type { Range } from '../../markdown-file/offsets.ts';

export interface Found extends Range {
  /**
   * `{% %}` and `{{ }}` of Hexo and Jekyll, `{{< >}}` and `{{% %}}` of Hugo, and Hugo's escaped shortcodes.
   */
  kind: 'liquid' | 'output' | 'hugo' | 'escaped';
  name: string;
  source: string;
  isEnd: boolean;
  isClosed: boolean;
  /** Line of the text, from 0. */
  line: number;
  /** Range of its end tag, if its content is not markdown. */
  rawEnd?: Range;
}

/** Maximum characters of a tag; one with a caption and an address is far shorter. */
const MAX_TAG_CHARACTERS = 4_000;
const RAW_LIQUID = new Set(
  'raw verbatim codeblock code highlight mermaid plantuml math katex comment'.split(' '),
);
const RAW_HUGO = new Set('highlight code mermaid math katex rawhtml raw html'.split(' '));

/** Finds the next `needle` in linear time over all calls, if positions only increase. */
export function finder(text: string, needle: string): (from: number) => number {
  let at = -2;
  return (from) => {
    if (at !== -1 && at < from) at = text.indexOf(needle, from);
    return at;
  };
}

type Read = Omit<Found, 'line'>;

export function createReader(text: string): (start: number) => Read | null {
  const ends = {
    '{%': finder(text, '%}'),
    '{{<': finder(text, '>}}'),
    '{{%': finder(text, '%}}'),
    '{{': finder(text, '}}'),
  };
  const hasNoEnd = new Set<string>();
  const rawEnd = ({ kind, name, end }: Read): Read['rawEnd'] => {
    const isRaw = (kind === 'liquid' ? RAW_LIQUID : RAW_HUGO).has(name);
    if (!isRaw || hasNoEnd.has(kind + name)) return undefined;
    const pattern =
      kind === 'liquid'
        ? new RegExp(`\\{%-?[ \\t]*end${name}[ \\t]*-?%\\}`, 'g')
        : new RegExp(`\\{\\{[<%][ \\t]*/[ \\t]*${name}[ \\t]*[>%]\\}\\}`, 'g');
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (match) return { start: match.index, end: pattern.lastIndex };
    // Searched once: searching to the end of the text for each tag would take quadratic time.
    hasNoEnd.add(kind + name);
    return undefined;
  };
  return (start) => {
    const opening = (['{{<', '{{%', '{{', '{%'] as const).find((each) => text.startsWith(each, start));
    if (opening === undefined) return null;
    const close = ends[opening](start + opening.length);
    const end = close + (opening === '{%' || opening === '{{' ? 2 : 3);
    if (close === -1 || end - start > MAX_TAG_CHARACTERS) return null;
    const inside = text.slice(start + opening.length, close);
    const tag = opening === '{{' ? readOutput(inside) : readTag(inside, opening);
    if (!tag) return null;
    const read = { ...tag, start, end };
    const raw = tag.isEnd || tag.isClosed ? undefined : rawEnd(read);
    return raw ? { ...read, rawEnd: raw } : read;
  };
}

type Inside = Omit<Read, 'start' | 'end'>;

function readTag(inside: string, opening: '{%' | '{{<' | '{{%'): Inside | null {
  const isLiquid = opening === '{%';
  if (!isLiquid && /^\/\*.*\*\/$/s.test(inside.trim())) {
    const shown = `${opening} ${inside.trim().slice(2, -2).trim()} ${opening === '{{<' ? '>}}' : '%}}'}`;
    return { kind: 'escaped', name: '', source: shown, isEnd: false, isClosed: true };
  }
  const parts = /^-?\s*(\/?)\s*([A-Za-z][\w./-]*)(?![\w./-])(.*)$/s.exec(inside);
  if (!parts) return null;
  const [, slash = '', word = '', rest = ''] = parts;
  const isEnd = isLiquid ? /^end./.test(word) : slash === '/';
  if (isLiquid && slash === '/') return null;
  const isClosed = !isLiquid && (rest.trimEnd().endsWith('/') || word.endsWith('/'));
  const source = rest.replace(isClosed ? /\/\s*$/ : /-\s*$/, '').trim();
  const name = (isLiquid && isEnd ? word.slice(3) : word).replace(/\/$/, '');
  return { kind: isLiquid ? 'liquid' : 'hugo', name, source, isEnd, isClosed };
}

/** Only values that generators define: formulas also contain double braces. */
const VALUE = /^(?:site|page|post|theme|config|layout|include)\.[\w.[\]'"-]+$/;

function readOutput(inside: string): Inside | null {
  const [, value = '', filters = ''] = /^-?([^|]*)(\|.*)?$/.exec(inside.replace(/-$/, '')) ?? [];
  const name = value.trim();
  const isText = /^(?:"[^"]*"|'[^']*')$/.test(name) && filters !== '';
  if (!isText && !VALUE.test(name)) return null;
  return { kind: 'output', name, source: filters.trim(), isEnd: false, isClosed: true };
}
