import { BOUNDS } from '../contract/rules/bounds.ts';
import { isHeicFile, typesOf, unreadableFile } from '../contract/rules/pictures.ts';

export const IMAGE_TYPES = typesOf('image').join();

/** Returns the server's error for a picture by its size and type; null if it would be accepted. */
export function pictureProblem({ name, size, type }: File): string | null {
  const isAccepted = typesOf('image').includes(type) || isHeicFile({ name, type });
  if (!isAccepted) return unreadableFile('image', { name, type });
  if (size > BOUNDS.imageBytes) return `图片不能超过 ${BOUNDS.imageBytes / 1024 / 1024} MB`;
  return null;
}
