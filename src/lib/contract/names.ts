/** Folds a name for comparison: NFKC, then case-folded, as CONTRACT.md asks of usernames. */
export function foldName(name: string): string {
  // Upper before lower approximates full case folding (ß → ss, final sigma), which ECMAScript lacks.
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Whether two names are the same user's: case and width do not tell names apart. */
export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);
