import { startAnew, type DraftFields, type JournalEntry } from '../client/journal-entry.ts';
import { digestOf } from './draft-fields.ts';
import type { ServerVersion } from './draft-server.ts';

export { startAnew };

const REMEMBERED = 100;

/** Whether the text is safe on the server. Not while something sent since may have taken its place there. */
export const isAcknowledged = (entry: JournalEntry, fields: DraftFields = entry.fields) =>
  entry.id !== null && entry.sent.length === 0 && entry.acknowledged === digestOf(fields);

/** Whether there is nothing in the server's version that did not come from this editor. */
export function isOwn(entry: JournalEntry, fields: DraftFields, theirs: ServerVersion): boolean {
  const own = new Set([...entry.sent, entry.acknowledged, digestOf(fields)]);
  const isKnown = (version: { fields: DraftFields } | null) => !version || own.has(digestOf(version.fields));
  return isKnown(theirs) && isKnown(theirs.overtaken);
}

/** The entry with the server's version as the one that its text is based on. */
export function follow(entry: JournalEntry, theirs: ServerVersion): JournalEntry {
  const { id, status, seen } = theirs;
  // An overtaken revision stays on the server until another one is written over it.
  const acknowledged = theirs.overtaken ? null : digestOf(theirs.fields);
  return { ...entry, id, status, seen, acknowledged, sent: [] };
}

/** The entry that knows `fields` as sent: a version found on the server may be this editor's own. */
export function withSent(entry: JournalEntry, fields: DraftFields): JournalEntry {
  const { sent } = entry;
  const digest = digestOf(fields);
  if (sent.includes(digest)) return entry;
  // Of a day without network the first and the last attempts: those may have arrived.
  const last = sent.slice(REMEMBERED).slice(-REMEMBERED);
  return { ...entry, sent: [...sent.slice(0, REMEMBERED), ...last, digest] };
}
