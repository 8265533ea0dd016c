import { BOUNDS } from '../contract/bounds.ts';
import { typesOf, unreadableFile } from '../contract/pictures.ts';

/** For `accept` of a file field. */
export const IMAGE_TYPES = typesOf('image').join();

/** What the server would say of a picture, by size and kind; null where it would take it. */
export function pictureProblem({ name, size, type }: File): string | null {
  if (!typesOf('image').includes(type)) return unreadableFile('image', { name, type });
  if (size > BOUNDS.imageBytes) return `图片不能超过 ${BOUNDS.imageBytes / 1024 / 1024} MB`;
  return null;
}
