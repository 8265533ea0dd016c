import { startOver, type DraftFields, type JournalEntry } from '../../client/journal/journal-entry.ts';
import { digestOf } from './draft-fields.ts';
import type { ServerVersion } from './draft-server.ts';

export { startOver };

const MAX_SENT_DIGESTS = 100;

/** Whether the text is safe on the server. False while a later save may have overwritten it there. */
export const isAcknowledged = (entry: JournalEntry, fields: DraftFields = entry.fields) =>
  entry.id !== null && entry.sent.length === 0 && entry.acknowledged === digestOf(fields);

/** Whether everything in the server's version was sent by this editor. */
export function isOwn(entry: JournalEntry, fields: DraftFields, theirs: ServerVersion): boolean {
  const own = new Set([...entry.sent, entry.acknowledged, digestOf(fields)]);
  const isKnown = (version: { fields: DraftFields } | null) => !version || own.has(digestOf(version.fields));
  return isKnown(theirs) && isKnown(theirs.overtaken);
}

export function follow(entry: JournalEntry, theirs: ServerVersion): JournalEntry {
  const { id, status, seen } = theirs;
  // An overtaken revision stays on the server until another one is written over it.
  const acknowledged = theirs.overtaken ? null : digestOf(theirs.fields);
  return { ...entry, id, status, seen, acknowledged, sent: [] };
}

export function withSent(entry: JournalEntry, fields: DraftFields): JournalEntry {
  const { sent } = entry;
  const digest = digestOf(fields);
  if (sent.includes(digest)) return entry;
  // After a day offline, keeps the first and the last attempts: those may have reached the server.
  const last = sent.slice(MAX_SENT_DIGESTS).slice(-MAX_SENT_DIGESTS);
  return { ...entry, sent: [...sent.slice(0, MAX_SENT_DIGESTS), ...last, digest] };
}
