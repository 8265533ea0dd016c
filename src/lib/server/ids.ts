import { ObjectId } from 'bson';

/** A new identifier: 24 hexadecimal digits, sortable by second, like the predecessor's MongoDB ids. */
export function newId(): string {
  return new ObjectId().toHexString();
}

/** Milliseconds since the epoch as the wire writes instants: ISO 8601, UTC. */
export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
