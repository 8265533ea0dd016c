import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { needsEdge, readSelection } from '../../../tools/test.mjs';
import { filesOf, oneEngineFiles } from '../../selection.ts';
import { LONG } from '../../tiers.ts';
import { inRoot } from '../../../tools/project.mjs';

describe('arguments of npm test', () => {
  test('select all projects on both engines by default', () => {
    expect(readSelection([])).toEqual({
      folders: ['islands', 'unit', 'engines', 'api', 'e2e', 'edge'],
      projects: ['islands', 'unit', 'engines', 'api', 'e2e', 'edge', 'engines-postgres', 'api-postgres'],
      isPartial: false,
      rest: [],
    });
  });

  test('name projects, an engine and files; vitest gets the others unchanged', () => {
    expect(readSelection(['unit', 'markdown'])).toEqual({
      folders: ['unit'],
      projects: ['unit'],
      isPartial: true,
      rest: ['markdown'],
    });
    expect(readSelection(['--engine', 'postgres', '-t', 'x'])).toEqual({
      folders: ['engines', 'api', 'e2e'],
      projects: ['engines-postgres', 'api-postgres', 'e2e-postgres'],
      isPartial: true,
      rest: ['-t', 'x'],
    });
    expect(readSelection(['api'])).toMatchObject({ projects: ['api', 'api-postgres'], isPartial: false });
    expect(() => readSelection(['--engine', 'oracle'])).toThrow('--engine must be sqlite or postgres');
  });

  test('need the edge adapters only when its tests are selected', () => {
    expect(needsEdge([])).toBe(true);
    expect(needsEdge(['edge', 'front'])).toBe(true);
    expect(needsEdge(['unit', 'queue'])).toBe(false);
    expect(needsEdge(['e2e', '--engine', 'postgres'])).toBe(false);
  });
});

describe('parts of the tests', () => {
  const listed = [...LONG, ...Object.keys(oneEngineFiles())];

  test('name files that exist, each once', () => {
    expect(listed.filter((file) => !existsSync(inRoot('tests', file)))).toEqual([]);
    expect(LONG.filter((file, at) => LONG.indexOf(file) !== at)).toEqual([]);
  });

  test('short and long together run every file on every engine', () => {
    for (const project of ['islands', 'unit', 'engines', 'api', 'e2e', 'edge'])
      for (const engine of ['sqlite', 'postgres'] as const) {
        const both = [...filesOf(project, engine, 'short', 1), ...filesOf(project, engine, 'long', 1)];
        expect(new Set(both)).toEqual(new Set(filesOf(project, engine, 'all', 1)));
      }
  });

  test('shares of the long part are disjoint, and together are all of it', () => {
    for (const project of ['engines', 'api', 'e2e'])
      for (const engine of ['sqlite', 'postgres'] as const) {
        const share = (seed: number) => filesOf(project, engine, 'long', seed, 4);
        const all = [40, 41, 42, 43].flatMap(share);
        expect(all.toSorted()).toEqual(filesOf(project, engine, 'long', 1).toSorted());
        expect(share(40)).toEqual(share(44));
      }
  });

  test('npm test runs other files with one engine on the second one for another seed', () => {
    const drawn = (seed: number) =>
      ['engines', 'api']
        .flatMap((project) => filesOf(project, 'postgres', 'short', seed))
        .filter((file) => file in oneEngineFiles());
    expect(drawn(7)).toEqual(drawn(7));
    const seen = new Set(Array.from({ length: 200 }, (_, seed) => drawn(seed)).flat());
    expect(seen.size).toBe(Object.keys(oneEngineFiles()).filter((file) => !LONG.includes(file)).length);
  });
});
