import { BOUNDS } from '../contract/bounds.ts';
import { REFUSALS } from '../contract/errors.ts';

const READABLE = ['image/png', 'image/jpeg', 'image/webp'];

/** What the server would say of a picture for an article, by its size and kind; null where it would take it. */
export function pictureProblem({ size, type }: File): string | null {
  if (!READABLE.includes(type)) return REFUSALS.IMAGE_UNREADABLE.text;
  if (size > BOUNDS.imageBytes) return `图片不能超过 ${BOUNDS.imageBytes / 1024 / 1024} MB`;
  return null;
}
