/** Enough to keep the renderer busy while articles are read and written. */
const WORKERS = 3;

/**
 * Runs `work`, which takes one thing after the other from what all share, several times at once.
 * @returns when all have ended; rejects only then, with the first error
 */
export async function atOnce(work: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: WORKERS }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
