// @ts-check
// Entry point of every npm script. Prepares what the command needs (packages, the pinned Node, a build), then
// runs it with that Node: `node tools/run.mjs <command> [arguments]`
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { check } from './check.mjs';
import { become, replaceProcess, succeeds } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { compileCache, inRoot, memorySettings, moyeArguments, projectNode, ToolError } from './project.mjs';
import { needsEdge, test } from './test.mjs';

const EDGE = 'src/lib/edge';
const TESTS = 'tests';
const BENCH = 'bench';
const TOOLS = 'tools';

const astro = () => inRoot('node_modules', 'astro', 'bin', 'astro.mjs');
const followParent = () => pathToFileURL(inRoot('tools', 'follow-parent.mjs')).href;

/** @param {string[]} args */
const packagesOfTests = (args) => (needsEdge(args) ? [TESTS, EDGE] : [TESTS]);

/**
 * Workspaces of package.json that a command needs in addition to the packages of `npm start`. `check` needs
 * the types of every package.
 * @type {Record<string, (args: string[]) => string[]>}
 */
const workspaces = {
  test: packagesOfTests,
  'test:long': packagesOfTests,
  build: (args) => (args.length > 0 ? [EDGE] : []),
  check: () => [TESTS, EDGE, BENCH, TOOLS],
  format: () => [TOOLS],
  // Section `nodes` starts the PostgreSQL server of the tests.
  bench: () => [TESTS, BENCH],
  trust: () => [TESTS],
};

/** @type {Record<string, (args: string[]) => Promise<unknown>>} */
const commands = {
  async start(args) {
    await ensureBuilt();
    // React and others choose their production code by NODE_ENV at load time.
    const env = {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCache(),
      ...memorySettings(),
      ...process.env,
    };
    const server = [inRoot('src', 'lib', 'server', 'main.ts'), ...args];
    const follow = ['--import', followParent()];
    // Follows the parent only under npm: a shell that started this process with `&` may exit first.
    replaceProcess(projectNode(), process.env['npm_lifecycle_event'] ? [...follow, ...server] : server, env);
    await become(projectNode(), [...follow, ...server], { env, followCaller: true });
  },
  test: (args) => test('short', args),
  'test:long': (args) => test('long', args),
  async dev(args) {
    const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
    await become(projectNode(), [astro(), 'dev', ...args], { env, followCaller: true });
  },
  async build(args) {
    if (args.length === 0) return ensureBuilt({ force: true });
    const { buildEdge } = await import('./build-edge.mjs');
    return buildEdge(args);
  },
  check,
  async format() {
    if (!(await succeeds(projectNode(), [inRoot('tools', 'write-routes.mjs')])))
      throw new ToolError('routes.generated.ts could not be written');
    await become(projectNode(), [inRoot('node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', '.']);
  },
  async bench(args) {
    await ensureBuilt();
    await become(projectNode(), [inRoot('bench', 'run.ts'), ...args]);
  },
  trust: (args) => become(projectNode(), [inRoot('tests', 'trust', 'run.ts'), ...args]),
  moye(args) {
    const env = { NODE_COMPILE_CACHE: compileCache(), ...memorySettings(), ...process.env };
    const cwd = process.cwd();
    replaceProcess(projectNode(), moyeArguments(args), env, cwd);
    return become(projectNode(), moyeArguments(args), { cwd, env });
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
try {
  if (!command)
    throw new ToolError(`usage: node tools/run.mjs ${Object.keys(commands).join('|')} [arguments]`);
  await ensureInstalled(workspaces[name]?.(args) ?? []);
  await command(args);
} catch (fault) {
  const text = fault instanceof Error ? fault.stack : String(fault);
  process.stderr.write(`${fault instanceof ToolError ? fault.message : text}\n`);
  process.exitCode = 1;
}
