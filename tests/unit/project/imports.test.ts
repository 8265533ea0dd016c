import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, listImports, listModules, readText, root } from './source-files.ts';

/**
 * Where a file belongs; the first pattern that fits counts. Features are the folders of server/ without a
 * line here.
 */
const zones: [zone: string, pattern: RegExp][] = [
  ['styles', /\.css$/],
  ['data', /^src\/changelog\.ts$/],
  ['plain', /^src\/icons\//],
  ['fetch', /^src\/fetch\.ts$/],
  ['requests', /^src\/lib\/requests\.ts$/],
  ['plain', /^src\/components\/(icons|ids|own-kinds|page-window|time|urls)\.ts$/],
  ['pages', /^src\/pages\//],
  ['layouts', /^src\/layouts\//],
  ['components', /^src\/components\//],
  ['islands', /^src\/islands\//],
  [
    'plain',
    /^src\/lib\/(common-ends|same-site-path|site-settings|palette|palette-sheet|client\/token|relative-time|blog\/page-(list|tags|key)|purge-signature|contract\/(authored-fields|bounds|errors|licences|made-files|moderation|names|notice-kinds|own-list|permissions|report-reasons|pictures|picture-variants|routes|site-bounds|tag-kinds)|markdown\/(cell-break|graphemes|word-count)|markdown-file\/write-file)\.ts$/,
  ],
  ['contract', /^src\/lib\/contract\//],
  ['blog', /^src\/lib\/blog\/(article-card|backend|blog|remote|remote-discovery)\.ts$/],
  ['edge-server', /^src\/lib\/edge\/node-server\.ts$/],
  ['edge', /^src\/lib\/edge\//],
  ['blog-dev', /^src\/lib\/blog\/dev\.ts$/],
  ['blog-local', /^src\/lib\/blog\/local/],
  ['markdown', /^src\/lib\/markdown\//],
  ['markdown-file', /^src\/lib\/markdown-file\//],
  ['client', /^src\/lib\/client\//],
  ['stores', /^src\/lib\/stores\//],
  ['cli', /^src\/lib\/cli\//],
  ['main', /^src\/lib\/server\/(main|start|guides)\.ts$/],
  [
    'app',
    /^src\/lib\/server\/(app|backup|backup-worker|databases|doctor|export|export-worker|move|open-backups|open-exports|open-site|open-storage|reimport|reimport-articles|reimport-comments|reimport-lists|reimport-run|restore|upkeep)\.ts$/,
  ],
  ['services', /^src\/lib\/server\/services\.ts$/],
  ['config', /^src\/lib\/server\/config\.ts$/],
  ['shared', /^src\/lib\/server\/[^/]+\.ts$/],
  ['foreign-db', /^src\/lib\/server\/db\/foreign-tables\.ts$/],
  ['db', /^src\/lib\/server\/db\//],
  ['api', /^src\/lib\/server\/api\//],
  ['feature', /^src\/lib\/server\/[^/]+\//],
  ['types', /^src\/[^/]+\.d\.ts$/],
];

/**
 * Who may import whom. `x (types)`: only types, `x (lazily)`: only types and `import()`. A zone may import
 * itself, but one feature of the server never another: its services arrive as arguments.
 */
const allowed: Record<string, string[]> = {
  fetch: ['plain', 'requests', 'blog', 'blog-dev (lazily)'],
  /** What holds for calls and pages alike, around Astro and in it. */
  requests: ['plain', 'blog (types)'],
  pages: ['plain', 'layouts', 'components', 'islands', 'styles', 'data', 'blog (types)', 'contract (types)'],
  layouts: ['plain', 'components', 'islands', 'styles', 'contract (types)', 'blog (types)', 'markdown'],
  components: ['plain', 'layouts', 'islands', 'styles', 'contract (types)', 'blog (types)', 'markdown'],
  islands: [
    'plain',
    'stores',
    'client',
    'styles',
    'contract (types)',
    'markdown (lazily)',
    'markdown-file (lazily)',
  ],
  styles: [],
  data: [],
  /** Rules without any dependency, for server and browser alike. */
  plain: [],
  contract: ['plain'],
  blog: ['plain', 'contract', 'client', 'markdown (types)'],
  edge: ['plain', 'blog', 'contract', 'client', 'markdown'],
  'edge-server': ['requests', 'config', 'shared'],
  'blog-dev': ['app', 'config', 'main', 'blog'],
  'blog-local': [
    'plain',
    'blog',
    'contract',
    'markdown',
    'services (types)',
    'feature (types)',
    'shared (types)',
  ],
  markdown: ['plain'],
  /** An article as a file: for the operator's import and the editor. */
  'markdown-file': ['plain'],
  client: ['plain', 'contract'],
  stores: ['plain', 'client', 'contract'],
  cli: [
    'plain',
    'markdown',
    'markdown-file',
    'foreign-db',
    'app',
    'services (types)',
    'config',
    'contract (types)',
    'shared (types)',
    'feature (types)',
  ],
  main: ['plain', 'requests', 'app', 'services (types)', 'config', 'shared', 'db', 'feature', 'contract'],
  /** What an app consists of, as types alone: those whom the app is made from know it without a circle. */
  services: ['blog (types)', 'config (types)', 'db (types)', 'feature (types)', 'shared (types)'],
  app: [
    'plain',
    'markdown-file',
    'services (types)',
    'config',
    'shared',
    'db',
    'api',
    'feature',
    'blog-local',
    'blog',
    'contract',
    'markdown',
  ],
  /** Databases of other products, of which the server knows nothing. */
  'foreign-db': [],
  config: ['plain', 'shared'],
  shared: ['plain', 'contract', 'config (types)'],
  db: ['plain (types)', 'contract (types)', 'shared'],
  api: [
    'plain',
    'contract',
    'feature',
    'shared',
    'db (types)',
    'config (types)',
    'services (types)',
    'blog (types)',
  ],
  feature: [
    'plain',
    'db',
    'contract',
    'markdown',
    'markdown-file',
    'shared',
    'config (types)',
    'feature (types)',
    'blog (types)',
  ],
  types: [
    'plain (types)',
    'blog (types)',
    'services (types)',
    'shared (types)',
    'contract (types)',
    'islands (types)',
  ],
};

const imports = listModules().flatMap((path) => listImports(path));
const zoneOf = (path: string) => zones.find(([, pattern]) => pattern.test(path))?.[0] ?? 'nowhere';
const featureOf = (path: string) => path.split('/')[3];

function isAllowed({ from, target, kind }: Import): boolean {
  const [zone, targetZone] = [zoneOf(from), zoneOf(target)];
  const sameFeature = zone !== 'feature' || featureOf(from) === featureOf(target);
  if (zone === targetZone && sameFeature) return true;
  const rules = allowed[zone] ?? [];
  return (
    rules.includes(targetZone) ||
    (kind === 'types' && rules.some((rule) => rule.startsWith(`${targetZone} (`))) ||
    (kind === 'lazily' && rules.includes(`${targetZone} (lazily)`))
  );
}

const show = ({ from, target, kind }: Import) => `${from} → ${target} (${kind})`;
const ownImports = imports.filter(({ own, target }) => own && target.startsWith('src/'));

/**
 * Takes away, again and again, whatever imports nothing that is left: what stays stands in a circle, or leads
 * to one.
 */
function findCircle(edges: Import[]): string[] {
  const left = edges.filter(
    ({ from, target }) => edges.some((each) => each.from === target) && from !== target,
  );
  return left.length === edges.length ? edges.map(show) : findCircle(left);
}

describe('who may import whom', () => {
  test('every source file belongs to a known part of the project', () => {
    expect(listModules().filter((path) => zoneOf(path) === 'nowhere')).toEqual([]);
  });

  test('every import is one that the table of layers allows', () => {
    expect(ownImports.filter((each) => !isAllowed(each)).map(show)).toEqual([]);
  });

  test('imports make no circle, not even those of types', () => {
    expect(findCircle(ownImports)).toEqual([]);
  });

  test('every imported file exists, under the name it is imported by', () => {
    expect(ownImports.filter(({ target }) => !existsSync(join(root, target))).map(show)).toEqual([]);
  });

  test('nothing in src imports from outside of src', () => {
    const outside = imports.filter(({ own, target }) => own && !/^(src\/|package\.json$)/.test(target));
    expect(outside.map(show)).toEqual([]);
  });

  test('the contract knows zod and nothing else', () => {
    const packages = imports.filter(({ own, from }) => !own && zoneOf(from) === 'contract');
    expect(packages.filter(({ target }) => target !== 'zod').map(show)).toEqual([]);
  });

  test('browser code never reaches the server, a built-in module of Node or the database', () => {
    const reached = new Set(
      listModules().filter((path) => ['islands', 'stores', 'client'].includes(zoneOf(path))),
    );
    // A set grows while it is walked: what is reached is walked too.
    const wrong: string[] = [];
    for (const path of reached) {
      for (const each of imports.filter(({ from, kind }) => from === path && kind !== 'types')) {
        if (each.own) reached.add(each.target);
        if (/^src\/lib\/(server|cli)\//.test(each.target) || /^(node:|kysely$|pg$)/.test(each.target))
          wrong.push(show(each));
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('what only some sites use is loaded when it is used', () => {
  const found = imports.filter(({ target }) => target === '@aws-sdk/client-s3');
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['types', 'lazily']));
});

test('only db/ and search/ mention a dialect of SQL', () => {
  const dialect =
    /node:sqlite|(Sqlite|Postgres)(Dialect|Adapter)|\bPRAGMA\b|\bfts5\b|\btsvector\b|\bjsonb\b|\bjson_each\b|\bILIKE\b|\bbm25\b/;
  const mayMention = /^src\/lib\/server\/(db|search)\//;
  const found = listModules().filter(
    (path) => !mayMention.test(path) && dialect.test(withoutComments(readText(path))),
  );
  expect(found).toEqual([]);
});

test('queries are built in *-queries.ts, db/ and search/ and nowhere else', () => {
  const building =
    /\.(selectFrom|selectNoFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^>`]*>)?`/;
  const mayBuild = /^src\/lib\/server\/((db|search)\/|[a-z]+\/[a-z]+-queries\.ts$)/;
  const found = listModules().filter(
    (path) => !mayBuild.test(path) && building.test(withoutComments(readText(path))),
  );
  expect(found).toEqual([]);
});

test('the environment is read in config.ts and nowhere else', () => {
  const reads =
    /process\.env|process\[['"]env|import\.meta\.env\.(?!DEV|PROD|SSR)|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"](node:)?process['"]/;
  const found = listModules().filter(
    (path) => zoneOf(path) !== 'config' && reads.test(withoutComments(readText(path))),
  );
  expect(found).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}

describe('reading imports', () => {
  test('finds those of the frontmatter and the scripts of an Astro file, and tells types and lazy ones apart', () => {
    const text = `---
import Base from '../layouts/Base.astro';
import type { Blog } from '../lib/blog/blog.ts';
---
<Base />
<script>
  import '../lib/client/live.ts';
  void import('@scope/late/deep');
</script>`;
    expect(listImports('src/pages/x.astro', text).map(({ target, kind }) => `${target} ${kind}`)).toEqual([
      'src/layouts/Base.astro value',
      'src/lib/blog/blog.ts types',
      'src/lib/client/live.ts value',
      '@scope/late lazily',
    ]);
  });

  test('a circle is noticed, also one of types', () => {
    const files = {
      a: "import type { B } from './b.ts';",
      b: "import { C } from './c.ts';",
      c: "import './a.ts';",
    };
    const found = Object.entries(files).flatMap(([name, text]) => listImports(`src/${name}.ts`, text));
    expect(findCircle(found)).toHaveLength(3);
    expect(findCircle(found.slice(0, 2))).toEqual([]);
  });

  test('a forbidden import is noticed', () => {
    const text = "import { createApp } from '../../lib/server/app.ts';";
    expect(listImports('src/islands/editor/Editor.tsx', text).map(isAllowed)).toEqual([false]);
  });
});
