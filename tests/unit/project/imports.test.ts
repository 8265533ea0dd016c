import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allowed, zones } from './layers.ts';
import { type Import, listImports, listModules, readText, root } from './source-files.ts';

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
 * Repeatedly removes files that import none of the remaining files. The rest is part of a cycle or imports
 * one.
 */
function findCircle(edges: Import[]): string[] {
  const left = edges.filter(
    ({ from, target }) => edges.some((each) => each.from === target) && from !== target,
  );
  return left.length === edges.length ? edges.map(show) : findCircle(left);
}

const SERVICES = 'src/lib/server/services.ts';

/** Imports of the types that `Uses` and `Pick<AppParts, …>` name, in place of the list of services. */
function importsOfParts(): Import[] {
  const files = new Map(
    [...readText(SERVICES).matchAll(/^import type \{ (.+) \} from '\.(.+)';$/gm)].flatMap(
      ([, names = '', path = '']) =>
        names.split(', ').map((name) => [name, `src/lib/server${path}`] as const),
    ),
  );
  const parts = new Map(
    [...readText(SERVICES).matchAll(/^ {2}(\w+): (\w+)(?: \| null)?;$/gm)].map(([, part, type = '']) => [
      part,
      files.get(type),
    ]),
  );
  return listModules().flatMap((from) =>
    [...readText(from).matchAll(/\b(?:Uses<|Pick<\s*AppParts,)([^>]*)>/g)]
      .flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
      .flatMap((name) => parts.get(name) ?? [])
      .filter((target) => target !== from)
      .map((target) => ({ from, target, kind: 'types', own: true })),
  );
}

describe('import rules', () => {
  test('every source file belongs to a known part of the project', () => {
    expect(listModules().filter((path) => zoneOf(path) === 'nowhere')).toEqual([]);
  });

  test('every import is one that the table of layers allows', () => {
    expect(ownImports.filter((each) => !isAllowed(each)).map(show)).toEqual([]);
  });

  test('imports have no cycle, not even of types', () => {
    const direct = ownImports.filter(({ target, kind }) => target !== SERVICES || kind !== 'types');
    const ofParts = importsOfParts();
    expect(ofParts.length).toBeGreaterThan(100);
    expect(findCircle([...direct, ...ofParts])).toEqual([]);
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
    // Iterating a Set also visits items that are added meanwhile.
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

test('optional features are loaded on use', () => {
  const found = imports.filter(({ target }) => target === '@aws-sdk/client-s3');
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['types', 'lazily']));
});

test('only db/ and search/ mention an SQL dialect', () => {
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
  const mayBuild = /^src\/lib\/server\/((db|search)\/|([a-z]+\/){1,2}[a-z-]+-queries\.ts$)/;
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
  test('finds those of the frontmatter and scripts of an Astro file, and distinguishes types and lazy ones', () => {
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

  test('a cycle is detected, also one of types', () => {
    const files = {
      a: "import type { B } from './b.ts';",
      b: "import { C } from './c.ts';",
      c: "import './a.ts';",
    };
    const found = Object.entries(files).flatMap(([name, text]) => listImports(`src/${name}.ts`, text));
    expect(findCircle(found)).toHaveLength(3);
    expect(findCircle(found.slice(0, 2))).toEqual([]);
  });

  test('a forbidden import is detected', () => {
    const text = "import { createApp } from '../../lib/server/app.ts';";
    expect(listImports('src/islands/editor/Editor.tsx', text).map(isAllowed)).toEqual([false]);
  });
});
