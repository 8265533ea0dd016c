import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Kind of an import: `types` does not exist at run time, `lazily` is `import()`. */
type ImportKind = 'value' | 'types' | 'lazily';

/**
 * `target` is a path in src for the project's own files, otherwise the name of a package or built-in module.
 */
export interface Import {
  from: string;
  target: string;
  own: boolean;
  kind: ImportKind;
}

/** @returns all files in a folder, as paths relative to the project root, with `/` */
export function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export const readText = (path: string) => readFileSync(join(root, path), 'utf8');

/** @returns source files in src that can contain imports */
export const listModules = () => listFiles('src').filter((path) => /\.(ts|tsx|astro|mjs|js)$/.test(path));

/** Scripts of an .astro file: its frontmatter and its client scripts. Any other file is one script. */
function scriptsOf(path: string, text: string): string[] {
  if (!path.endsWith('.astro')) return [text];
  const frontmatter = /^\s*---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  const scripts = [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '');
  return [frontmatter, ...scripts];
}

/**
 * Lists the imports, re-exports, `import()` calls and import types of a source file.
 * @param path relative to the project root, in src
 */
export function listImports(path: string, text = readText(path)): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, kind: ImportKind) => {
    const own = specifier.startsWith('.');
    const file = specifier.replace(/\?.*$/, '');
    const target = own ? posix.normalize(posix.join(posix.dirname(path), file)) : packageOf(file);
    found.push({ from: path, target, own, kind });
  };
  for (const script of scriptsOf(path, text)) {
    const kind = path.endsWith('x') || path.endsWith('.astro') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    visit(ts.createSourceFile(path, script, ts.ScriptTarget.Latest, true, kind), add);
  }
  return found;
}

function visit(node: ts.Node, add: (specifier: string, kind: ImportKind) => void): void {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    add(
      node.moduleSpecifier.text,
      node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'types' : 'value',
    );
  } else if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    add(node.moduleSpecifier.text, node.isTypeOnly ? 'types' : 'value');
  } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    if (ts.isStringLiteral(node.argument.literal)) add(node.argument.literal.text, 'types');
  } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    if (specifier && ts.isStringLiteralLike(specifier)) add(specifier.text, 'lazily');
  }
  ts.forEachChild(node, (child) => visit(child, add));
}

/** `@scope/name/deep` → `@scope/name`, `hono/cors` → `hono`, `node:fs/promises` → `node:fs`. */
function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}
