import { ObjectId } from 'bson';

/** Returns a new identifier: 24 hexadecimal digits, sortable by second, like the former MongoDB ids. */
export function newId(): string {
  return new ObjectId().toHexString();
}

/** Formats milliseconds since the epoch as in API responses: ISO 8601, UTC. */
export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns the ids of rows. */
export const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
