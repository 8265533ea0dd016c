import { BOUNDS } from '../contract/bounds.ts';
import { PICTURES, typesOf } from '../contract/pictures.ts';

/** For `accept` of a file field. */
export const IMAGE_TYPES = typesOf('image').join();

/** What the server would say of a picture, by size and kind; null where it would take it. */
export function pictureProblem({ size, type }: File): string | null {
  if (!typesOf('image').includes(type)) return PICTURES.image.unreadable;
  if (size > BOUNDS.imageBytes) return `图片不能超过 ${BOUNDS.imageBytes / 1024 / 1024} MB`;
  return null;
}
