import { describe, expect, test } from 'vitest';
import { ODD_PHRASES } from './odd-phrases.ts';
import { listFiles, readText } from './source-files.ts';

/** Odd phrases per 1,000 words of comments, and of documents. */
const MAX_ODD_PHRASES = 1;
/** Comments per 100 lines of source. */
const MAX_COMMENTS = 4.5;

/** Text with the line of the file on which it begins. */
interface Prose {
  line: number;
  text: string;
}

/** Returns the block comments and the runs of line comments that begin a line. */
function commentsOf(source: string): Prose[] {
  const found: Prose[] = [];
  let kind: 'code' | 'line' | 'block' = 'code';
  source.split('\n').forEach((row, at) => {
    const open = kind === 'block' ? null : /^\s*(?:\{?(\/\*)|(\/\/))/.exec(row);
    if (kind !== 'block' && !open) {
      kind = 'code';
      return;
    }
    const text = row.replace(/^\s*(?:\{?\/\*+|\/\/|\*(?!\/))?\s?/, '').replace(/\s*\*\/.*$/, '');
    const last = found.at(-1);
    if (kind === 'block' || (kind === 'line' && open?.[2])) {
      if (last) last.text += `\n${text}`;
    } else found.push({ line: at + 1, text });
    if (open?.[2]) kind = 'line';
    else kind = row.includes('*/') ? 'code' : 'block';
  });
  return found.filter(({ text }) => /[A-Za-z]{3}/.test(text));
}

/** Returns a document without its code blocks and generated tables; line numbers stay. */
const proseOf = (document: string): Prose[] => [
  {
    line: 1,
    text: document.replaceAll(/^```[\s\S]*?^```|<!-- bench:[\s\S]*?<!-- \/bench -->/gm, (block) =>
      block.replaceAll(/[^\n]/g, ''),
    ),
  },
];

const countWords = (text: string) => text.match(/[A-Za-z'’]+/g)?.length ?? 0;

/** Returns the odd phrases as `file:line: phrase → replacement`, and their rate per 1,000 words. */
function findOddPhrases(files: { path: string; prose: Prose[] }[]) {
  const parts = files.flatMap(({ path, prose }) => prose.map((part) => ({ path, ...part })));
  const phrases = parts.flatMap(({ path, line, text }) =>
    ODD_PHRASES.flatMap(({ pattern, instead }) =>
      Array.from(text.matchAll(pattern), (match) => {
        const start = match.index + match[0].search(/\w/);
        const row = line + text.slice(0, start).split('\n').length - 1;
        return `${path}:${row}: ${match[0].trim()} → ${instead}`;
      }),
    ),
  );
  const words = parts.reduce((sum, { text }) => sum + countWords(text), 0);
  return { phrases, words, rate: (phrases.length * 1000) / words };
}

const WRITTEN = /\.(?:ts|tsx|astro|css|mjs)$/;
const NOT_OURS = /(?:^|\/)(?:node_modules|fixtures?|dist|vendor|\.data)\/|\.d\.ts$/;
const CONFIG_FILES = ['astro.config.mjs', 'uno.config.ts', 'vitest.config.ts'];
const sources = ['src', 'tests', 'tools', 'bench']
  .flatMap(listFiles)
  .concat(CONFIG_FILES)
  .filter((path) => WRITTEN.test(path) && !NOT_OURS.test(path))
  .map((path) => ({ path, source: readText(path) }));
const comments = sources.map(({ path, source }) => ({ path, prose: commentsOf(source) }));
const documents = ['README.md', ...listFiles('docs')]
  .filter((path) => path.endsWith('.md') && !path.endsWith('.zh-CN.md'))
  .map((path) => ({ path, prose: proseOf(readText(path)) }));

describe('odd phrases are rare', () => {
  test.each([
    ['comments', comments, 50_000],
    ['documents', documents, 20_000],
  ])('in %s', (_, files, fewest) => {
    const { phrases, words, rate } = findOddPhrases(files);
    expect(words).toBeGreaterThan(fewest);
    // Lists the phrases when there are too many.
    expect(rate > MAX_ODD_PHRASES ? phrases : []).toEqual([]);
  });

  const MADE_UP = `import { answer } from './answer.ts';

/** What a page may ask for. Whoever asks again is told once. */
export const ask = () => answer;

// Copies them anew,
// so that nobody waits.
/* Returns the newest page. */
const copy = '/* beside */';
`;

  test('is not true of a made-up source: each is found with its line, text of the program is not', () => {
    const { phrases, words, rate } = findOddPhrases([{ path: 'a.ts', prose: commentsOf(MADE_UP) }]);
    expect(phrases.map((phrase) => phrase.replace(/ → .*/, '')).toSorted()).toEqual([
      'a.ts:3: What a page may ask for',
      'a.ts:3: Whoever',
      'a.ts:3: is told once',
      'a.ts:6: anew',
      'a.ts:7: nobody',
      'a.ts:7: so that nobody',
    ]);
    expect(words).toBe(23);
    expect(rate).toBeGreaterThan(MAX_ODD_PHRASES);
  });

  test('is not true of a made-up document, whose code does not count', () => {
    const document = 'Purges lie beside.\n\n```sh\ncat beside\n```\n\nOf a page there\nare none.\n';
    const { phrases, rate } = findOddPhrases([{ path: 'a.md', prose: proseOf(document) }]);
    expect(phrases.map((phrase) => phrase.replace(/ → .*/, '')).toSorted()).toEqual([
      'a.md:1: beside',
      'a.md:7: Of a',
      'a.md:8: are none',
    ]);
    expect(rate).toBeGreaterThan(MAX_ODD_PHRASES);
  });

  test('is true of a plain source', () => {
    const plain = commentsOf('/** Responses to malformed requests. */\n// Sorts NULL last.\n');
    expect(findOddPhrases([{ path: 'a.ts', prose: plain }])).toEqual({ phrases: [], words: 7, rate: 0 });
  });
});

/** Returns the number of comments per 100 lines. */
const densityOf = (texts: string[]) => {
  const count = texts.reduce((sum, text) => sum + commentsOf(text).length, 0);
  return (count * 100) / texts.reduce((sum, text) => sum + text.split('\n').length, 0);
};

describe(`there are at most ${MAX_COMMENTS} comments per 100 lines`, () => {
  test('of source', () => {
    expect(densityOf(sources.map(({ source }) => source))).toBeLessThanOrEqual(MAX_COMMENTS);
  });

  test('not of a made-up source that restates each name', () => {
    const restated = '/** The name of the user. */\nexport const userName = read();\n';
    expect(densityOf([restated.repeat(10)])).toBeGreaterThan(MAX_COMMENTS);
  });
});
