import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listModules, readText, root } from './source-files.ts';

test('every path that the README sends a reader to exists', () => {
  const table = readText('README.md').split('## To change X, open Y')[1]?.split('\n## ')[0] ?? '';
  const paths = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('no source file grows beyond what one can hold in mind: 300 lines', () => {
  const lines = (path: string) => readText(path).split('\n').length;
  expect(listModules().filter((path) => lines(path) > 300)).toEqual([]);
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
