import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXIT_CONFIG } from '../../../src/lib/server/config/config.ts';
import { inputs } from '../../../tools/build.mjs';
import { memorySettings } from '../../../tools/project.mjs';
import { readText, root } from './source-files.ts';

const SETTINGS = ['config', 'config-fields', 'upload-settings', 'backup-settings'].map(
  (name) => `src/lib/server/config/${name}.ts`,
);
/** Variables in the schemas of config.ts and its parts. */
const settings = new Set(
  [
    ...SETTINGS.map(readText)
      .join('\n')
      .matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm),
  ].map(([, name]) => name),
);
/** Variables that Node itself reads. */
const OF_NODE = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'PATH']);
const isKnown = (name: string) => settings.has(name) || OF_NODE.has(name);
/** Settings that let the server return memory to the system. */
const MEMORY_FILE = 'deploy/memory.env';
const exists = (path: string) => existsSync(join(root, path));
const secondsOf = (name: string, path: string): number => {
  const milliseconds = new RegExp(`const ${name} = ([\\d_]+)`).exec(readText(path))?.[1];
  return Number(milliseconds?.replaceAll('_', '')) / 1000;
};
/**
 * Maximum time to stop: accepting connections for a while, waiting for a moment without new connections, then
 * waiting for responses.
 */
const stopSeconds =
  secondsOf('STOP_LINGER_MS', 'src/lib/server/config/config.ts') +
  secondsOf('ACCEPT_TIMEOUT_MS', 'src/lib/server/http/connections.ts') +
  secondsOf('STOP_TIMEOUT_MS', 'src/lib/server/http/connections.ts');

/** Lines of the Dockerfile by stage, with continued lines joined. */
const stages = readText('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((text) => text.split('\n').filter((line) => line !== ''));
const last = stages.at(-1) ?? [];
const argumentsOf = (lines: string[], word: string) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const command = JSON.parse(argumentsOf(last, 'CMD')[0] ?? '') as string[];
const script = command.at(-1) ?? '';
const imageEnvironment = Object.fromEntries(
  argumentsOf(last, 'ENV')
    .flatMap((line) => line.split(/\s+/))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
) as Record<string, string>;

/** Whether .dockerignore, an allowlist, admits a path. */
const admitted = readText('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));
const isAdmitted = (path: string) => admitted.some((each) => path === each || path.startsWith(`${each}/`));

test('the settings were found', () => {
  expect(settings.size).toBeGreaterThan(15);
  expect(stopSeconds).toBeGreaterThan(0);
});

describe('deploy/memory.env', () => {
  test('limits arenas and garbage, in a format that systemd, a shell and npm start read alike', () => {
    expect(memorySettings()).toMatchObject({
      NODE_OPTIONS: expect.stringContaining('--max-semi-space-size=') as string,
      MALLOC_ARENA_MAX: '1',
      MIMALLOC_PURGE_DELAY: '0',
    });
    const lines = readText(MEMORY_FILE).split('\n');
    const settingLines = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(settingLines).toEqual(Object.entries(memorySettings()).map(([name, value]) => `${name}=${value}`));
    expect(settingLines.filter((line) => !/^\w+=[\w=-]+$/.test(line))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  test('copies what exists, from stages that exist, past .dockerignore', () => {
    const names = stages.map(([from = '']) => / AS (\S+)$/.exec(from)?.[1]);
    const copies = stages.flatMap((lines) => argumentsOf(lines, 'COPY'));
    expect(copies).toHaveLength(3);
    for (const copy of copies) {
      const words = copy.split(/\s+/);
      const from = /^--from=(\S+)/.exec(copy)?.[1];
      const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
      if (from !== undefined) expect(names).toContain(from);
      else expect(sources.filter((path) => path !== '.' && !(exists(path) && isAdmitted(path)))).toEqual([]);
    }
    expect(admitted.filter((path) => !exists(path))).toEqual([]);
    expect(readText('.dockerignore')).toMatch(/^\*$/m);
  });

  test('includes all build inputs', () => {
    expect(inputs.filter((path) => !isAdmitted(path))).toEqual([]);
  });

  test('the server runs as a separate user, from an existing file, with existing settings', () => {
    expect(argumentsOf(last, 'USER')).toEqual(['moye']);
    expect(Object.keys(imageEnvironment).filter((name) => !isKnown(name))).toEqual([]);
    const [, settingsFile = '', main = ''] = / \. (\S+) && .*exec node (\S+)$/.exec(script) ?? [];
    expect(command.slice(0, -1)).toEqual(['sh', '-c']);
    expect(settingsFile).toBe(MEMORY_FILE);
    expect(exists(main)).toBe(true);
    expect(exists('node_modules/node/bin/node')).toBe(true);
    expect(argumentsOf(last, 'EXPOSE')).toEqual([imageEnvironment['PORT']]);
    expect(argumentsOf(last, 'VOLUME')).toEqual([imageEnvironment['DATA_DIR']]);
  });

  test('variables of the container take precedence over the memory settings', () => {
    const print = script.replace(/exec node \S+$/, 'printenv NODE_OPTIONS MALLOC_ARENA_MAX');
    const env = { PATH: process.env['PATH'], NODE_OPTIONS: '--title="a b"' };
    const { stdout } = spawnSync('sh', ['-c', print], { cwd: root, env, encoding: 'utf8' });
    expect(stdout).toBe('--title="a b"\n1\n');
  });

  test('the last stage has only what the server and the commands load', () => {
    expect(argumentsOf(last, 'COPY')).toEqual(['--from=build --chown=root:root /app/runtime ./']);
    expect(argumentsOf(stages[0] ?? [], 'RUN').at(-1)).toContain(' tools/copy-runtime.mjs runtime ');
    expect(argumentsOf(last, 'RUN').filter((line) => /npm|apt/.test(line))).toEqual([]);
  });

  test('only the data folder belongs to the server’s user', () => {
    const owned = [...argumentsOf(last, 'RUN'), ...argumentsOf(last, 'COPY')].flatMap((line) =>
      [...line.matchAll(/(?:--owner=|--chown=)(\w+)[^&]*? (\S+)(?= &&|$)/g)].map(([, user, path]) => [
        user,
        path,
      ]),
    );
    expect(owned).toEqual([
      ['moye', imageEnvironment['DATA_DIR']],
      ['root', './'],
    ]);
    expect(last.findIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
      last.findIndex((line) => line.startsWith('COPY ')),
    );
  });

  test('needs no image beside those of its stages', () => {
    expect(readText('Dockerfile')).not.toMatch(/^# *syntax *=/m);
    expect(stages.map(([from = '']) => from.split(' ')[1])).toEqual([
      'node:24-trixie-slim',
      'debian:trixie-slim',
    ]);
  });
});

interface Service {
  build?: { context: string; args: string[] };
  env_file?: { path: string; required: boolean }[];
  image: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  stop_grace_period?: string;
}

describe('compose.yaml', () => {
  const text = readText('compose.yaml');
  const compose = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const { services } = compose;
  const nodes = Object.entries(services).filter(([, service]) => service.build !== undefined);

  test('has two nodes with existing settings, and time to stop', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node-a', 'node-b']);
    for (const [, { environment = {}, stop_grace_period = '' }] of nodes) {
      expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(stopSeconds);
    }
  });

  test('the nodes read every other setting from .env, which cannot move what the image fixes', () => {
    for (const [, { env_file, environment = {} }] of nodes) {
      expect(env_file).toEqual([{ path: '.env', required: false }]);
      const fixed = ['HOST', 'PORT', 'DATA_DIR'];
      expect(fixed.map((name) => environment[name])).toEqual(fixed.map((name) => imageEnvironment[name]));
    }
  });

  test('builds with the registry that npm is set to', () => {
    for (const [, { build }] of nodes) expect(build?.args).toEqual(['NPM_CONFIG_REGISTRY']);
    expect(argumentsOf(stages[0] ?? [], 'ARG')).toEqual(['NPM_CONFIG_REGISTRY']);
  });

  test('every awaited service has a health check', () => {
    for (const { depends_on = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy');
        const { build, healthcheck } = services[name] ?? {};
        expect(healthcheck ?? (build && argumentsOf(last, 'HEALTHCHECK')[0])).toBeTruthy();
      }
    }
    expect(Object.values(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on)).length).toBe(4);
  });

  test('mounts declared volumes and existing files; the nodes share theirs', () => {
    for (const { volumes = [] } of Object.values(services)) {
      for (const source of volumes.map((volume) => volume.split(':')[0] ?? '')) {
        expect(source.startsWith('.') ? exists(source) : source in compose.volumes).toBe(true);
      }
    }
    for (const [, { volumes }] of nodes) expect(volumes).toEqual([`uploads:${imageEnvironment['DATA_DIR']}`]);
  });

  test('publishes one port, on this machine only unless HTTP_ADDRESS names another address', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    expect(published).toEqual([['nginx', '${HTTP_ADDRESS:-127.0.0.1}:${HTTP_PORT:-8080}:80']]);
    for (const path of ['docs/deploy.md', 'docs/deploy.zh-CN.md']) {
      const paragraphs = readText(path).split('\n\n');
      const said = paragraphs.find((paragraph) => paragraph.includes('HTTP_ADDRESS')) ?? '';
      expect(said).toContain('127.0.0.1');
      expect(said).toContain('TRUST_PROXY=2');
    }
  });

  test('holds no secret, and does not start without one', () => {
    for (const name of ['POSTGRES_PASSWORD', 'TOKEN_SECRET']) {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, 'g'))];
      expect(uses.length).toBeGreaterThan(0);
      expect(uses.filter(([, rest = '']) => !rest.startsWith(':?'))).toEqual([]);
    }
  });

  test('nginx uses the nodes’ ports, and the number of trusted proxies matches', () => {
    const upstreams = [...readText('deploy/nginx/compose.conf').matchAll(/^\s*server ([\w-]+:\d+) /gm)];
    expect(upstreams.map(([, address]) => address)).toEqual(
      nodes.map(([name]) => `${name}:${imageEnvironment['PORT']}`),
    );
    for (const [, { environment = {} }] of nodes)
      expect(environment['TRUST_PROXY']).toBe('${TRUST_PROXY:-1}');
  });
});

describe('deploy/moye.service', () => {
  const unit = readText('deploy/moye.service');
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const folder = valuesOf('WorkingDirectory')[0] ?? '';
  const [node = '', main = ''] = (valuesOf('ExecStart')[0] ?? '').split(' ');

  test('starts existing files with existing settings, and allows time to stop', () => {
    expect(exists(posix.relative(folder, node))).toBe(true);
    expect(exists(main)).toBe(true);
    const names = valuesOf('Environment').map((pair) => pair.split('=')[0] ?? '');
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
    expect(valuesOf('EnvironmentFile')[0]).toBe(posix.join(folder, MEMORY_FILE));
    expect(valuesOf('KillSignal')).toEqual(['SIGTERM']);
    expect(Number.parseInt(valuesOf('TimeoutStopSec')[0] ?? '', 10)).toBeGreaterThan(stopSeconds);
    expect(valuesOf('Environment')).toContain(`DATA_DIR=/var/lib/${valuesOf('StateDirectory')[0]}`);
  });

  test('does not restart what only the operator can mend', () => {
    expect(valuesOf('Restart')).toEqual(['on-failure']);
    expect(valuesOf('RestartPreventExitStatus')).toEqual([String(EXIT_CONFIG)]);
    for (const path of ['docs/deploy.md', 'docs/deploy.zh-CN.md'])
      expect(readText(path)).toContain(` ${EXIT_CONFIG} `);
  });

  test('deploy/moye uses the settings of the unit', () => {
    const wrapper = readText('deploy/moye');
    for (const pair of ['DATA_DIR', 'NODE_ENV'].map(
      (name) => new RegExp(`^${name}=.*$`, 'm').exec(wrapper)?.[0],
    ))
      expect(valuesOf('Environment')).toContain(pair);
    expect(/^umask (\d+)$/m.exec(wrapper)?.[1]).toBe(valuesOf('UMask')[0]);
    const [, tool = '', file = ''] = /"\$home\/(tools\/\S+)" (\S+) "\$@"/.exec(wrapper) ?? [];
    expect(exists(tool)).toBe(true);
    expect(valuesOf('EnvironmentFile')).toContain(`-${file}`);
    expect(wrapper).toContain('"$home/node_modules/node/bin/node"');
    const [cache] = valuesOf('Environment').flatMap(
      (pair) => /^NODE_COMPILE_CACHE=(.*)$/.exec(pair)?.[1] ?? [],
    );
    expect(readText('tools/service.mjs')).toContain(`'${cache}'`);
  });

  test('the server may write backups where the documents put them', () => {
    for (const path of ['docs/deploy.md', 'docs/deploy.zh-CN.md'])
      expect(readText(path)).toContain(valuesOf('ReadWritePaths')[0]?.slice(1));
  });

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'systemd knows every line',
    async () => {
      const place = await mkdtemp(join(tmpdir(), 'moye-unit-'));
      const file = join(place, basename('deploy/moye.service'));
      await writeFile(file, unit.replace(node, process.execPath));
      const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      await rm(place, { recursive: true });
      // Other units of the machine may have faults.
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('moye'));
      expect(lines).toEqual([]);
      expect(status).toBe(0);
    },
  );
});

describe('docs/deploy.md', () => {
  const text = readText('docs/deploy.md');

  test('names settings that exist', () => {
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(5);
    const ofCompose = new Set(['POSTGRES_PASSWORD', 'HTTP_ADDRESS', 'HTTP_PORT', 'NPM_CONFIG_REGISTRY']);
    expect(named.filter((name) => !isKnown(name) && !ofCompose.has(name))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [...text.matchAll(/`((?:deploy|docs|src|tools)\/[\w./-]+|Dockerfile|compose\.yaml)`/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.map(([, path = '']) => path).filter((path) => !exists(path))).toEqual([]);
  });
});
