import { readFileSync } from 'node:fs';

/** Megabytes that a process and all that it started hold in memory. */
export interface TreeMemory {
  /** Of all: each one's own memory, and the files of the one that has mapped most, since they share them. */
  total: number;
  /** Of the one that holds most, which is the server: its resident size. */
  largest: number;
}

/**
 * Reads what the processes from `pid` on hold now (Linux: proc(5), status). Not their proportional sizes:
 * those shrink where any other process of the machine runs the same Node.
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

/** A process and those it started. */
export function familyOf(pid: number): number[] {
  const threads = readProc(`${pid}/task/${pid}/children`);
  return [pid, ...threads.split(' ').map(Number).filter(Boolean).flatMap(familyOf)];
}

/** A file of /proc; '' once its process is gone. */
export function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const megabytes = (text: string, name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6;
