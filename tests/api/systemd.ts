import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';

/** Debian's systemd as the first process of own namespaces, with the unit of deploy/. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const SYSTEMD = '/usr/lib/systemd/systemd';
const UNITS = '/usr/lib/systemd/system';
const OWN_UNITS = '/run/systemd/system';
/** Units that services and the end of systemd need; no other unit of this machine is started. */
const TARGETS = 'sysinit basic multi-user shutdown umount final network-online sockets timers paths slices';
/** Id of the unit's user and group. */
export const USER_ID = 64_123;
const NAMESPACES = ['--mount', '--pid', '--fork', '--mount-proc', '--cgroup', '--ipc', '--uts'];

/** Mount point of cgroups version 2, with or without version 1; each test run has its own group there. */
const cgroups = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) =>
  existsSync(join(path, 'cgroup.procs')),
);

/**
 * Prepares what systemd finds: nothing in /var and /opt but the project, and the account of the unit. The
 * script's folder is `$1`, the project `$2`.
 */
const PREPARE = `set -e
mount --make-rprivate /
umount --recursive /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
for folder in "$1" /run /opt /var/lib /var/cache; do mount -t tmpfs -o mode=755 tmpfs $folder; done
mkdir -p "$1/upper" "$1/work" ${OWN_UNITS} /opt/moye
mount -t overlay -o "lowerdir=/etc,upperdir=$1/upper,workdir=$1/work" overlay /etc
echo 'moye:x:${USER_ID}:${USER_ID}::/var/lib/moye:/usr/sbin/nologin' >> /etc/passwd
echo 'moye:x:${USER_ID}:' >> /etc/group
mount --bind "$2" /opt/moye
mount -o remount,ro,bind /opt/moye
for target in ${TARGETS}; do cp ${UNITS}/$target.target ${OWN_UNITS}; done
cp /opt/moye/deploy/moye.service ${OWN_UNITS}
export container=test SYSTEMD_UNIT_PATH=${OWN_UNITS}
exec ${SYSTEMD} --system --unit=basic.target --log-target=null --show-status=no`;

/** Whether this machine has systemd and lets this process start it in namespaces. */
export const hasSystemd =
  existsSync(SYSTEMD) &&
  process.getuid?.() === 0 &&
  cgroups !== undefined &&
  spawnSync('unshare', [...NAMESPACES, 'sh', '-c', 'mount -t tmpfs tmpfs /run']).status === 0;

/** A running systemd. */
export interface Systemd extends AsyncDisposable {
  /** Path of its root directory, for this process. */
  root: string;
  /** Runs a command in its namespaces; returns output and exit status. */
  run(...command: string[]): { status: number | null; output: string };
  /** Returns properties of moye.service. */
  show<Name extends string>(...names: Name[]): Record<Name, string>;
}

export async function startSystemd(): Promise<Systemd> {
  const folder = mkdtempSync(join(tmpdir(), 'moye-systemd-'));
  const cgroup = join(cgroups ?? '', `moye-${process.pid}`);
  mkdirSync(cgroup);
  const enter = 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"';
  const inside = ['unshare', '--kill-child', ...NAMESPACES, 'sh', '-c', PREPARE, 'sh', folder, PROJECT];
  const outer = spawn('sh', ['-c', enter, 'sh', cgroup, ...inside], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const first = await eventually(() => firstChildOf(outer));
  const run: Systemd['run'] = (...command) => {
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      [`--target=${first}`, '--mount', '--pid', '--cgroup', '--', ...command],
      { encoding: 'utf8' },
    );
    return { status, output: stdout + stderr };
  };
  await eventually(() => {
    const { output } = run('systemctl', 'is-system-running');
    if (output !== 'running\n') throw new Error(output);
  });
  return {
    root: `/proc/${first}/root`,
    run,
    show<Name extends string>(...names: Name[]) {
      const { output } = run('systemctl', 'show', 'moye', ...names.map((name) => `--property=${name}`));
      const lines = output.trim().split('\n');
      return Object.fromEntries(lines.map((line) => line.split('=', 2))) as Record<Name, string>;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(outer, 'exit');
      // Ends every process of the namespace with its first one.
      outer.kill('SIGKILL');
      await ended;
      await eventually(() => {
        const { status, stderr } = spawnSync('find', [
          cgroup,
          '-depth',
          '-type',
          'd',
          '-exec',
          'rmdir',
          '{}',
          '+',
        ]);
        if (status !== 0) throw new Error(String(stderr));
      });
      rmSync(folder, { recursive: true });
    },
  };
}

function firstChildOf({ pid, exitCode }: ChildProcess): number {
  if (exitCode !== null) throw new Error(`systemd has ended with ${exitCode}`);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  if (!/^\d+$/.test(children)) throw new Error('systemd has not started');
  return Number(children);
}
