import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readText, root } from './source-files.ts';

const READMES = ['README.md', 'README.zh-CN.md'];
const documents = [...READMES, ...listFiles('docs').filter((path) => path.endsWith('.md'))];
/** STYLE.md is about how others write: its names are examples. */
const ours = documents.filter((path) => path !== 'docs/STYLE.md');

const CODE = /\.(ts|tsx|astro|mjs|css|json|conf|yaml|service|sql)$/;
const folders = ['src', 'tests', 'tools', 'bench', 'deploy', 'public', 'docs', '.ci'];
const files = [...folders.flatMap(listFiles), 'astro.config.mjs', 'uno.config.ts', 'vitest.config.ts'].concat(
  ['package.json', 'package-lock.json', 'tsconfig.json', 'compose.yaml', 'Dockerfile', ...READMES],
);
const source = files
  .filter((path) => (CODE.test(path) || path === 'Dockerfile') && path !== 'package-lock.json')
  .map(readText)
  .join('\n');

/** Texts in backticks outside of code blocks, without line breaks that prose wraps at. */
const spansOf = (path: string) =>
  [
    ...readText(path)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/`([^`]+)`/g),
  ].map(([, span = '']) => span.replaceAll(/\s+/g, ' '));

test('every path that the README sends a reader to exists', () => {
  const table = readText('README.md').split('## To change X, open Y')[1]?.split('\n## ')[0] ?? '';
  const paths = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('what documents mention exists', () => {
  /** Begins with a folder of ours, or ends as our files do; `*` stands for part of a name. */
  const isPath = (span: string) =>
    /^[\w.*@/[\]-]+$/.test(span) &&
    (folders.some((folder) => span.startsWith(`${folder}/`)) || /\.(ts|tsx|astro|mjs|md)$/.test(span));
  const isThere = (span: string) => {
    const pattern = RegExp.escape(span.replace(/\/$/, '')).replaceAll('\\*', '[^/]*');
    // `.test.ts` is how files end.
    const start = /^\.\w+(\.|$)/.test(span) ? '' : '(^|/)';
    return files.some((path) => new RegExp(`${start}${pattern}($|/)`).test(path));
  };
  /** Made when something is built or measured. */
  const MADE = new Set(['bench/.data']);

  test.each(ours)('files of %s', (document) => {
    const missing = spansOf(document).filter((span) => isPath(span) && !MADE.has(span) && !isThere(span));
    expect(missing).toEqual([]);
  });

  /** A function, a member, a constant or a variable of the environment as our code could spell it. */
  const isName = (span: string) =>
    /^\$?[A-Za-z_][\w$]*(\.[A-Za-z_$][\w$]*)*(\(.*\))?$/.test(span) &&
    /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|^\$|\(/.test(span);
  const lastPart = (span: string) => span.replace(/\(.*/, '').split('.').at(-1) ?? '';
  /** Names of others that documents explain why we do without, or that a platform reads. */
  const OF_OTHERS = new Set([
    'renderToString',
    'experimentalDisableStreaming',
    'bodySizeLimit',
    'bidiSkeleton',
    'NETLIFY_PURGE_API_TOKEN',
    'recovery_target_time',
  ]);

  test.each(ours)('names of %s', (document) => {
    const missing = spansOf(document).filter((span) => {
      // A metric's name is put together from these parts.
      const name = lastPart(span).replace(/^moye_(page_cache_|notices_)?|_total$/g, '');
      const isKnown = () => new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(source);
      return isName(span) && !OF_OTHERS.has(name) && !isKnown();
    });
    expect(missing).toEqual([]);
  });

  test.each(documents)('links of %s', (document) => {
    const links = [...readText(document).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    const own = links.filter((to) => !/^[a-z]+:/.test(to));
    expect(own.filter((to) => !existsSync(join(root, document, '..', to)))).toEqual([]);
  });
});

describe('decisions', () => {
  const decisions = listFiles('docs/decisions');
  const numberOf = (path: string) => /(\d{4})-[^/]+\.md$/.exec(path)?.[1] ?? '';
  const numbers = decisions.map(numberOf);

  test('have numbers of their own', () => {
    expect(numbers.length).toBeGreaterThan(20);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test.each(decisions)('%s says what it is and whether it holds', (path) => {
    const [title = '', , status = ''] = readText(path).split('\n');
    expect(title).toMatch(new RegExp(`^# ${numberOf(path)} \\S`));
    expect(status).toMatch(/^Status: (accepted|superseded by \d{4})\b/);
  });

  test('that documents and comments name exist', () => {
    const texts = [...ours.map(readText), source].join('\n');
    const named = [...texts.matchAll(/[Dd]ecisions? (\d{4})|superseded by (\d{4})/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.map(([, a, b]) => a ?? b ?? '').filter((number) => !numbers.includes(number))).toEqual([]);
  });
});

describe('documents in two languages say the same', () => {
  const twinsOf = (path: string) => [`${path}.md`, `${path}.zh-CN.md`];
  const withSettings = ['README', 'docs/deploy', 'docs/edge'].map(twinsOf);
  const twins = [...withSettings, twinsOf('docs/import')];
  /** The part of README.md that developers alone need has no twin. */
  const operatorsPart = (path: string) => readText(path).split(/^## (?:To change X|修改代码)/m)[0] ?? '';

  /** Code blocks without their comments. */
  const blocksOf = (path: string) =>
    [...operatorsPart(path).matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) =>
      block.replaceAll(/ +# .*$/gm, ''),
    );
  const spans = (path: string) =>
    [
      ...operatorsPart(path)
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .matchAll(/`([^`]+)`/g),
    ]
      .map(([, span = '']) => span.replaceAll(/\s+/g, ' '))
      .sort();
  /** Rows of tables about variables: which, and their default where there is a column for it. */
  const settingsOf = (path: string) =>
    operatorsPart(path)
      .split('\n')
      .filter((line) => /^\| `[A-Z][A-Z0-9_]+`/.test(line))
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
      .map(([, name = '', , value = '']) => ({ name, value }));
  const CHINESE: Record<string, string> = {
    unset: '未设置',
    none: '无',
    'on with `S3_ENDPOINT`': '设置了 `S3_ENDPOINT` 时为 on',
    '墨页, …, none': '墨页, …, 无',
    '0 (half a second)': '0（半秒）',
    'required by the build': '构建时必填',
    'as of the server': '与服务器相同',
    'unset: none are taken': '未设置：不接受通知',
  };

  test.each(twins)('commands of %s', (english = '', chinese = '') => {
    expect(blocksOf(english).length).toBeGreaterThan(0);
    expect(blocksOf(chinese)).toEqual(blocksOf(english));
  });

  test.each(withSettings)('variables of %s and their defaults', (english = '', chinese = '') => {
    const said = settingsOf(english);
    expect(said.length).toBeGreaterThan(3);
    expect(settingsOf(chinese)).toEqual(
      said.map(({ name, value }) => ({ name, value: CHINESE[value] ?? value })),
    );
  });

  test.each(twins)('files, names and settings that %s mentions', (english = '', chinese = '') => {
    expect(spans(chinese)).toEqual(spans(english));
  });
});
