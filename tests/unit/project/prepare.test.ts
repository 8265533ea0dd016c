import { readFileSync } from 'node:fs';
import { mkdtemp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashFiles, needsBuild } from '../../../tools/build.mjs';
import { findMismatch, isAtLeast } from '../../../tools/install.mjs';
import { withLock } from '../../../tools/lock.mjs';
import { precompress } from '../../../tools/precompress.mjs';

const CHECK_NODE = fileURLToPath(new URL('../../../tools/check-node.cjs', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moye-prepare-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('an install is needed', () => {
  const wanted = {
    packages: {
      '': { dependencies: { astro: '7.3.5', esbuild: '1.0.0' }, devDependencies: { unocss: '66.0.0' } },
      'node_modules/astro': {
        version: '7.3.5',
        dependencies: { vite: '^8.0.0' },
        peerDependencies: { react: '>=18', sass: '*' },
        peerDependenciesMeta: { sass: { optional: true } },
      },
      'node_modules/astro/node_modules/vite': { version: '8.0.0', devDependencies: { rollup: '4' } },
      'node_modules/vite': { version: '7.0.0' },
      'node_modules/react': { version: '19.0.0' },
      'node_modules/sass': { version: '1.0.0' },
      'node_modules/unocss': { version: '66.0.0' },
      'node_modules/esbuild': { version: '1.0.0', optionalDependencies: { '@esbuild/win32-x64': '1.0.0' } },
      'node_modules/@esbuild/win32-x64': { version: '1.0.0' },
      'node_modules/vitest': { version: '5.0.0', dependencies: { vite: '^7.0.0' } },
      'node_modules/moye-tests': { resolved: 'tests', link: true },
      tests: { devDependencies: { vitest: '5.0.0' } },
    },
  };
  const installed = (changes: Record<string, string | undefined>) => {
    const versions: Record<string, string | undefined> = {
      'node_modules/astro': '7.3.5',
      'node_modules/astro/node_modules/vite': '8.0.0',
      'node_modules/react': '19.0.0',
      'node_modules/unocss': '66.0.0',
      'node_modules/esbuild': '1.0.0',
      ...changes,
    };
    const there = Object.entries(versions).filter(([, version]) => version !== undefined);
    return { packages: Object.fromEntries(there.map(([path, version = '']) => [path, { version }])) };
  };

  test('when nothing was ever installed', () => {
    expect(findMismatch(wanted, null)).toBe('node_modules');
  });
  test.each(['astro', 'astro/node_modules/vite', 'react', 'unocss', 'esbuild'])(
    'when %s is missing',
    (name) => {
      const path = `node_modules/${name}`;
      expect(findMismatch(wanted, installed({ [path]: undefined }))).toBe(path);
    },
  );
  test('when the lock file asks for another version', () => {
    const path = 'node_modules/astro';
    expect(findMismatch(wanted, installed({ [path]: '7.3.4' }))).toBe(path);
  });
  test("when this platform's binary is of another version", () => {
    const path = 'node_modules/@esbuild/win32-x64';
    expect(findMismatch(wanted, installed({ [path]: '0.9.0' }))).toBe(path);
  });
  test("not when only another platform's binary, an optional peer and a workspace's packages are missing", () => {
    expect(findMismatch(wanted, installed({}))).toBeNull();
  });
  test('for a workspace when its packages, or what these need, are missing', () => {
    const vitest = { 'node_modules/vitest': '5.0.0' };
    expect(findMismatch(wanted, installed({}), ['tests'])).toBe('node_modules/vitest');
    expect(findMismatch(wanted, installed(vitest), ['tests'])).toBe('node_modules/vite');
    expect(
      findMismatch(wanted, installed({ ...vitest, 'node_modules/vite': '7.0.0' }), ['tests']),
    ).toBeNull();
  });
});

test('only a newer Node of the same major version replaces the pinned Node', () => {
  expect(['24.21.0', '24.30.1', '24.9.0', '20.20.2', '25.0.0'].map((v) => isAtLeast(v, '24.21.0'))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

describe('the check before the tools', () => {
  const requireBeside = createRequire(CHECK_NODE);
  const check = (version: string) => {
    const said: string[] = [];
    const codes: number[] = [];
    const process = {
      versions: { node: version },
      stderr: { write: (text: string) => said.push(text) },
      exit: (code: number) => codes.push(code),
    };
    runInNewContext(readFileSync(CHECK_NODE, 'utf8'), { process, require: requireBeside });
    return { said, codes };
  };

  test.each(['18.17.0', '18.20.4', '20.0.0', '22.23.3', '24.21.0', '100.0.0'])(
    'accepts Node %s',
    (version) => {
      expect(check(version)).toEqual({ said: [], codes: [] });
    },
  );

  test.each(['18.16.9', '16.20.2', '14.21.3', '10.24.1', '6.0.0'])(
    'refuses Node %s in one line',
    (version) => {
      const { said, codes } = check(version);
      expect(codes).toEqual([1]);
      expect(said).toEqual([
        `[moye] 需要 Node 18.17 或更高的版本，当前是 ${version}。 / Node 18.17 or later is needed, this is ${version}.\n`,
      ]);
    },
  );

  test('comes before every command of npm', () => {
    const { scripts } = requireBeside('../package.json') as { scripts: Record<string, string> };
    for (const command of Object.values(scripts).flatMap((script) => script.split(' || ')))
      expect(command).toMatch(/^(?:exec )?node -r \.\/tools\/check-node\.cjs tools\/run\.mjs /);
  });
});

describe('a build is needed', () => {
  beforeEach(async () => {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src', 'a.ts'), 'one');
    await writeFile(join(folder, 'lock.json'), '{}');
  });
  const hash = () => hashFiles(folder, ['src', 'lock.json', 'absent']);

  test('when there is none', () => {
    expect(needsBuild(hash(), null)).toBe(true);
  });
  test('not when only a modification time changed or an editor left a dot file', async () => {
    const before = hash();
    await utimes(join(folder, 'src', 'a.ts'), new Date(0), new Date(0));
    await writeFile(join(folder, 'src', '.a.ts.swp'), 'x');
    expect(needsBuild(hash(), `${before}\n`)).toBe(false);
  });
  test('when a source changed, was renamed or added', async () => {
    const before = hash();
    await writeFile(join(folder, 'src', 'a.ts'), 'two');
    const changed = hash();
    await rm(join(folder, 'src', 'a.ts'));
    await writeFile(join(folder, 'src', 'b.ts'), 'two');
    const renamed = hash();
    await writeFile(join(folder, 'src', 'c.ts'), '');
    expect(new Set([before, changed, renamed, hash()]).size).toBe(4);
  });
});

describe('two commands at once', () => {
  test('take turns', async () => {
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} out`);
    };
    const lock = join(folder, 'lock');
    await Promise.all([withLock(lock, work('a')), withLock(lock, work('b'))]);
    expect(events.map((event) => event.split(' ')[1])).toEqual(['in', 'out', 'in', 'out']);
  });

  test('are not blocked by one that died', async () => {
    const lock = join(folder, 'lock');
    await mkdir(lock);
    await writeFile(join(lock, 'owner'), '1 0 0');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(lock, longAgo, longAgo);
    expect(await withLock(lock, () => Promise.resolve('done'))).toBe('done');
  });

  test('free the lock also when the first one fails', async () => {
    const lock = join(folder, 'lock');
    await expect(withLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await withLock(lock, () => Promise.resolve('done'))).toBe('done');
  });
});

test('static text files get a brotli and a gzip variant, images and small files do not', async () => {
  const css = 'a { color: red }\n'.repeat(200);
  await mkdir(join(folder, 'deep'));
  await writeFile(join(folder, 'deep', 'style.css'), css);
  await writeFile(join(folder, 'small.css'), 'a {}');
  await writeFile(join(folder, 'image.png'), css);
  expect(await precompress(folder)).toBe(1);
  expect(brotliDecompressSync(await readFile(join(folder, 'deep', 'style.css.br'))).toString()).toBe(css);
  expect(gunzipSync(await readFile(join(folder, 'deep', 'style.css.gz'))).toString()).toBe(css);
});
