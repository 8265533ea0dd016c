import { readFileSync } from 'node:fs';

/** Memory of a process and its descendants, in megabytes. */
export interface TreeMemory {
  /**
   * The private memory of each process, plus the mapped files of the process that maps most, because they
   * share them.
   */
  total: number;
  /** Resident size of the largest process, which is the server. */
  largest: number;
}

/**
 * Reads the memory of `pid` and its descendants (Linux: proc(5), status). Proportional sizes are not used:
 * they shrink when any other process of the machine runs the same Node.
 */
export function memoryOfTree(pid: number): TreeMemory {
  const each = familyOf(pid).map((member) => {
    const text = readProc(`${member}/status`);
    const [own, shared, files] = ['RssAnon', 'RssShmem', 'RssFile'].map((name) => megabytes(text, name));
    return { own: (own ?? 0) + (shared ?? 0), files: files ?? 0 };
  });
  return {
    total: each.reduce((sum, { own }) => sum + own, 0) + Math.max(0, ...each.map(({ files }) => files)),
    largest: Math.max(0, ...each.map(({ own, files }) => own + files)),
  };
}

export function familyOf(pid: number): number[] {
  const threads = readProc(`${pid}/task/${pid}/children`);
  return [pid, ...threads.split(' ').map(Number).filter(Boolean).flatMap(familyOf)];
}

/** Clock ticks per second of proc(5), the same on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Processor time of `pid` and its descendants so far, with children that have ended, in seconds. */
export const cpuSecondsOf = (pid: number): number =>
  familyOf(pid).reduce((sum, member) => {
    // utime, stime, cutime and cstime follow the name, which may contain spaces.
    const fields = readProc(`${member}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / TICKS_PER_SECOND;
  }, 0);

/** Reads a file of /proc; returns '' when the process is gone. */
export function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const megabytes = (text: string, name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6;
