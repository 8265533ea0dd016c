import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { clientOf, done, type Person } from './server.ts';
import { makeSite, spawnServer, temporaryFolder, type ServerProcess } from './spawn.ts';

/** The files that the image contains, copied away from the project and run there. */
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MEGABYTE = 1_000_000;
/** Threads and entries would run; the tests of the server and of the commands start them. */
const RUNS_WHEN_LOADED = /(-worker|-process|main|run-server|moye)\.ts$/;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let node: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  home = join(folder.path, 'app');
  node = join(home, 'node_modules/node/bin/node');
  const { status, stderr } = spawnSync(process.execPath, ['tools/copy-runtime.mjs', home], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('is less than half of what was installed, without build tools', () => {
  // Without the compile cache, which grows with all that has run from this folder.
  const files = filesIn(home).filter((file) => !file.includes('/.compile-cache/'));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes / MEGABYTE).toBeLessThan(270);
  for (const tool of ['astro', 'vite', 'rolldown', 'typescript', 'unocss', '@unocss/core', 'esbuild'])
    expect([tool, existsSync(join(home, 'node_modules', tool))]).toEqual([tool, false]);
});

test('no large file is there twice', () => {
  const large = filesIn(home).filter((file) => statSync(file).size > MEGABYTE / 10);
  const byContent = Map.groupBy(large, (file) => hash('sha256', readFileSync(file)));
  expect([...byContent.values()].filter((files) => files.length > 1)).toEqual([]);
});

test('everyone can read it', () => {
  const unreadable = filesIn(home).filter((file) => (statSync(file).mode & 0o444) !== 0o444);
  expect(unreadable).toEqual([]);
});

test('has every command and importer, and each of its modules loads', async () => {
  const modules = globSync('src/lib/{cli,importers}/**/*.ts', { cwd: PROJECT });
  for (const path of modules.filter((each) => !existsSync(join(home, each)))) {
    // Imports of modules without code are erased.
    const values = Object.keys((await import(join(PROJECT, path))) as object);
    expect([path, values]).toEqual([path, []]);
  }
  const urls = globSync(['src/lib/**/*.ts', 'dist/server/chunks/*.mjs'], { cwd: home })
    .filter((path) => !RUNS_WHEN_LOADED.test(path))
    .map((path) => pathToFileURL(join(home, path)).href);
  expect(urls.length).toBeGreaterThan(500);
  const { stdout, status } = spawnSync(node, ['--input-type=module', '--eval', IMPORT_ALL], {
    cwd: home,
    encoding: 'utf8',
    input: JSON.stringify(urls),
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

const IMPORT_ALL = `
  import { readFileSync } from 'node:fs';
  for (const url of JSON.parse(readFileSync(0, 'utf8')))
    await import(url).catch((error) => console.log(url, error.message));
  process.exit(0);`;

describe('a server started from it', () => {
  let dataDir: string;
  let server: ServerProcess;
  let site: ReturnType<typeof clientOf>;
  let author: Person;
  const moye = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(node, [join(home, 'src/lib/cli/moye.ts'), ...words], {
      cwd: folder.path,
      env: { DATA_DIR: dataDir, NODE_ENV: 'production', LOG_LEVEL: 'silent' },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  beforeAll(async () => {
    dataDir = join(folder.path, 'data');
    const settings = { DATA_DIR: dataDir, NODE_ENV: 'production', LOG_LEVEL: 'error' };
    await makeSite({ settings });
    server = spawnServer(settings, [node, join(home, 'src/lib/server/main.ts')]);
    site = clientOf(await server.url);
    author = await site.join('王维');
  });
  afterAll(async () => {
    server?.child.kill('SIGTERM');
    const ended = await server?.ended;
    if (ended?.stderr) throw new Error(ended.stderr);
  });

  test('renders articles with code, formulas and diagrams', async () => {
    const content = '```rust\nfn main() {}\n```\n\n$a^2$\n\n```mermaid\ngraph TD; A-->B\n```\n\n空山新雨后';
    const id = await site.write(author, { title: '鹿柴', content });
    const { text } = await site.send(`/detail/${id}`);
    expect(text).toContain('<math');
    expect(text).toContain('<svg');
    expect(text).toContain('<span class="tk-k">fn </span>');
  });

  test('serves every kind of page, and finds articles', async () => {
    await site.write(author, { title: '竹里馆', content: '独坐幽篁里' });
    expect((await site.send(`/home/${encodeURIComponent('幽篁')}`)).text).toContain('竹里馆');
    for (const path of ['/home', '/signin', '/changelog', '/feed.xml', '/sitemap.xml'])
      expect([path, (await site.send(path)).status]).toEqual([path, 200]);
  });

  test('draws the picture for links, with characters of the largest font', async () => {
    const id = await site.write(author, { title: '㛃 Ελλάδα 🌧 山居' });
    const response = await fetch(`${site.url}/og/${id}.png`);
    const { width, height } = await sharp(await response.arrayBuffer()).metadata();
    expect([width, height]).toEqual([1200, 630]);
  });

  test('takes pictures', async () => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(await twoColours(400, 300).png().toBuffer())], 'a.png'));
    const headers = { Authorization: `Beare ${author.token}` };
    const { url } = done(await site.send('/api/file/uploadImage', { method: 'POST', body: form, headers }));
    expect((await fetch(site.url + url)).status).toBe(200);
  });

  test('the commands run beside it', async () => {
    expect(moye('help')).toMatchObject({ status: 0, stdout: expect.stringContaining('doctor') as string });
    expect(moye('user', 'list')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('王维') as string,
    });
    const posts = join(folder.path, 'posts');
    mkdirSync(posts);
    writeFileSync(join(posts, 'a.md'), '---\ntitle: 辛夷坞\n---\n木末芙蓉花，山中发红萼。\n');
    expect(moye('import', 'markdown', posts, '--author', '王维')).toMatchObject({ status: 0 });
    await eventually(async () => expect((await site.send('/home')).text).toContain('辛夷坞'));
    expect(moye('export', 'site', join(folder.path, 'export'))).toMatchObject({ status: 0 });
    expect(moye('backup', join(folder.path, 'site.tar.zst'))).toMatchObject({ status: 0 });
    expect(moye('doctor').stdout).toContain('✓');
  });
});
