let isLeaving = false;

/** Goes to `path` in place of the form; once, whoever finds out first that the reader is signed in. */
export function leaveFor(path: string): void {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(path);
}
