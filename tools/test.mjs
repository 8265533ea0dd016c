// @ts-check
import { ensureBrowser } from './browser.mjs';
import { ensureBuilt } from './build.mjs';
import { become } from './child.mjs';
import { compileCache, inRoot, projectNode, ToolError } from './project.mjs';
import { makeTemporaryFolder } from './temporary.mjs';

const projects = ['islands', 'unit', 'engines', 'api', 'e2e', 'edge'];
const needBuild = ['api', 'e2e', 'edge'];
const needBrowser = ['e2e', 'edge'];
/**
 * Projects that run on each engine when none is named. The browser tests run on one engine, because pages
 * look the same on both.
 */
const onEngine = { sqlite: projects, postgres: ['engines', 'api'] };
const whenNamed = { sqlite: projects, postgres: ['engines', 'api', 'e2e'] };
/** Seeds are below this number. */
const SEEDS = 1_000_000;

/**
 * @typedef {'sqlite' | 'postgres'} Engine
 * @typedef {object} Selection
 * @property {string[]} folders folders of tests/
 * @property {string[]} projects projects of vitest.config.ts: folders, with `-postgres` on that engine
 * @property {boolean} isPartial whether files or an engine are named; all tests of such files run
 * @property {string[]} rest arguments passed to vitest unchanged (file filters, options)
 */

/**
 * Reads the arguments of `npm test --` and `npm run test:long --`.
 * @param {string[]} args project names, `--engine sqlite|postgres`, anything else
 * @returns {Selection} all projects when none is named, both engines when none is named
 */
export function readSelection(args) {
  const place = args.indexOf('--engine');
  const engine = place < 0 ? undefined : args[place + 1];
  if (place >= 0 && engine !== 'sqlite' && engine !== 'postgres')
    throw new ToolError('--engine must be sqlite or postgres');
  const words = args.filter((_, index) => place < 0 || (index !== place && index !== place + 1));
  const named = projects.filter((project) => words.includes(project));
  const selected = named.length > 0 ? named : projects;
  /** @type {(each: Engine) => string[]} */
  const on = (each) => selected.filter((name) => (engine ? whenNamed : onEngine)[each].includes(name));
  const sqlite = engine === 'postgres' ? [] : on('sqlite');
  const postgres = engine === 'sqlite' ? [] : on('postgres');
  const rest = words.filter((word) => !projects.includes(word));
  return {
    folders: [...new Set([...sqlite, ...postgres])],
    projects: [...sqlite, ...postgres.map((name) => `${name}-postgres`)],
    isPartial: engine !== undefined || rest.length > 0,
    rest,
  };
}

/**
 * @param {string[]} args arguments after `npm test --`
 * @returns {boolean} whether a selected project needs the edge adapters
 */
export const needsEdge = (args) => readSelection(args).folders.includes('edge');

/**
 * Runs a part of the tests with vitest, which prints the counts and exits with 1 on any failure
 * (tests/reporter.ts).
 * @param {'short' | 'long'} part see tests/selection.ts
 * @param {string[]} args see `readSelection`
 * @returns {Promise<never>}
 */
export async function test(part, args) {
  const { folders, projects: names, isPartial, rest } = readSelection(args);
  if (folders.some((name) => needBrowser.includes(name))) await ensureBrowser();
  if (folders.some((name) => needBuild.includes(name))) await ensureBuilt();
  const seed = process.env['TEST_SEED'] ?? String(Math.floor(Math.random() * SEEDS));
  process.stdout.write(`[moye] TEST_SEED=${seed}\n`);
  const temporary = process.env['TMPDIR'] ?? makeTemporaryFolder();
  // A file filter may match only files of the other engine.
  const words = ['run', '--passWithNoTests', ...names.flatMap((name) => ['--project', name]), ...rest];
  return become(projectNode(), [inRoot('node_modules', 'vitest', 'vitest.mjs'), ...words], {
    env: {
      // The tests' threads, servers and commands each load hundreds of files. WebAssembly strips their types,
      // and many threads doing so at once occasionally crash V8 (nodejs/node#64500).
      NODE_COMPILE_CACHE: compileCache(),
      ...process.env,
      ...(temporary === undefined ? {} : { TMPDIR: temporary }),
      TEST_PART: isPartial ? 'all' : part,
      TEST_SEED: seed,
      // The random choices of `npm test` stay the same, so that a failure is the change's.
      ...(part === 'long' ? { TRUST_SEED: seed } : {}),
    },
  });
}
