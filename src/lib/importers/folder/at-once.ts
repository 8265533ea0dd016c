/** Enough to keep the renderer busy while articles are read and written. */
const CONCURRENCY = 3;

/**
 * Runs several `work` loops in parallel, which take items from a shared list.
 * @returns when all have ended; rejects only then, with the first error
 */
export async function atOnce(work: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
