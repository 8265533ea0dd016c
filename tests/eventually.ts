import { vi } from 'vitest';
import { WAIT_MS } from './limits.ts';

/** Repeats `work` until it succeeds, for at most `WAIT_MS`; `vi.waitFor` waits one second unless told. */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> => vi.waitFor(work, WAIT_MS);
