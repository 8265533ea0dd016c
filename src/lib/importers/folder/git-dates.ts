import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Dates of the first and last version of a file, in milliseconds since the epoch. */
export interface KnownDates {
  first: number;
  last: number;
}

/**
 * Settings of a repository can name programs, and the repository may be hostile: git must run no program and
 * fetch nothing.
 */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'protocol.allow=never',
  ...['ext', 'ssh', 'file', 'git', 'http', 'https'].map((name) => `protocol.${name}.allow=never`),
];
const SAFE = ['--no-pager', '--no-optional-locks', ...SETTINGS.flatMap((setting) => ['-c', setting])];
const LOG = '--no-show-signature --no-ext-diff --no-textconv --no-color -M --name-status -z --relative'.split(
  ' ',
);
const GIT_TIMEOUT_MS = 120_000;

/**
 * Reads the first and last commit of each file of a folder, following renames, in one pass through the
 * history. Empty without git or a repository.
 * @param folder its real path
 * @returns `warning` is a Chinese sentence for the operator; null if the history is complete
 */
export async function readGitDates(folder: string, signal?: AbortSignal) {
  const none = { dates: new Map<string, KnownDates>(), warning: null };
  const shallow = await runGit(folder, ['rev-parse', '--is-shallow-repository'], signal);
  if (shallow === null) return none;
  const history = createHistory();
  const isWhole =
    (await runGit(folder, ['log', ...LOG, '--format=%x01%at', '--', '.'], signal, history.take)) !== null;
  history.end();
  const warning = !isWhole
    ? 'git 的历史没有读完，没有写日期的文件用文件的修改时间'
    : shallow.trim() === 'true'
      ? 'git 仓库是浅克隆，没有写日期的文件可能比实际的晚（先运行 git fetch --unshallow）'
      : null;
  return { dates: isWhole ? history.dates : none.dates, warning };
}

/** Returns git's output, or '' if `take` receives it in pieces; null if git fails or is missing. */
async function runGit(
  folder: string,
  words: readonly string[],
  signal: AbortSignal | undefined,
  take?: (text: string) => void,
): Promise<string | null> {
  try {
    const child = spawn('git', [...SAFE, '-C', folder, ...words], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_TIMEOUT_MS,
      ...(signal && { signal }),
    });
    const ended = once(child, 'close');
    ended.catch(() => undefined);
    let text = '';
    for await (const piece of child.stdout.setEncoding('utf8')) {
      if (take) take(piece as string);
      else text += piece as string;
    }
    const [code] = (await ended) as [number | null];
    return code === 0 ? text : null;
  } catch {
    return null;
  }
}

/** Parses `git log --name-status -z`, newest commit first, in pieces of any size. */
export function createHistory() {
  const dates = new Map<string, KnownDates>();
  /** Current name of a path in older commits. */
  const today = new Map<string, string>();
  let rest = '';
  let time = NaN;
  let status = '';
  let from: string | null = null;

  function note(path: string): void {
    const name = (today.get(path) ?? path).normalize('NFC');
    const known = dates.get(name);
    dates.set(name, {
      first: Math.min(known?.first ?? Infinity, time),
      last: Math.max(known?.last ?? -Infinity, time),
    });
  }

  function read(part: string): void {
    const word = part.replace(/^\n/, '');
    if (word.startsWith('\x01')) {
      time = Number(word.slice(1)) * 1000;
      status = '';
    } else if (status === '') {
      status = word;
    } else if (/^[RC]/.test(status) && from === null) {
      from = word;
    } else {
      note(word);
      if (from !== null && status.startsWith('R')) today.set(from, today.get(word) ?? word);
      // In older commits, this name belongs to another file.
      if (status.startsWith('A')) today.delete(word);
      [status, from] = ['', null];
    }
  }

  return {
    dates,
    take(text: string): void {
      const parts = (rest + text).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) if (part !== '') read(part);
    },
    end(): void {
      if (rest !== '') read(rest);
      rest = '';
    },
  };
}
