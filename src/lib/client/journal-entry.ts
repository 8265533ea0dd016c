import { areFields, type Authored } from '../contract/authored-fields.ts';

/** What an author types. */
export type DraftFields = Authored;

/** What one open editor has typed, and what it knows of the server's version. */
export interface JournalEntry {
  /** Names the entry; no two editors ever write the same one. */
  readonly key: string;
  /** Whose text this is: nobody else signed in to this browser is shown it. */
  readonly user: string;
  /** Grows with every write, so that of two copies the newer one is known. */
  readonly seq: number;
  /** Milliseconds since the epoch of the last change. */
  readonly time: number;
  readonly fields: DraftFields;
  /** Begun as a new text and not finished: opening the empty editor continues it. */
  readonly isNew: boolean;
  /** Laid aside at the end of a conflict: offered for a while, and not continued by itself. */
  readonly isAside?: boolean;
  /** The article on the server, once there is one. */
  readonly id: string | null;
  readonly status: 'new' | 'draft' | 'normal';
  /** Names the creation of the article, so that a repeated call makes one. */
  readonly requestId: string;
  /** Whether that call may have reached the server. */
  readonly isRequested: boolean;
  /** The version the text is based on: times of article and revision (else the article's again), and type. */
  readonly seen: { update_time: string; revision_time: string; type: string } | null;
  /** Digest of the server's version at `seen`; the text is safe there when it has the same one. */
  readonly acknowledged: string | null;
  /** Digests of what has been sent since and may have arrived without our knowing. */
  readonly sent: readonly string[];
}

/** What is typed becomes an article of its own; `requestId` names its creation. */
export const startAnew = (entry: JournalEntry, requestId: string): JournalEntry => ({
  ...entry,
  id: null,
  status: 'new',
  seen: null,
  acknowledged: null,
  sent: [],
  requestId,
  isRequested: false,
  isNew: true,
});

/** In place of an entry that is no longer needed, so that an older copy of it stays dead. */
export interface Tombstone {
  key: string;
  user: string;
  seq: number;
  time: number;
  isGone: true;
}
export type Stored = JournalEntry | Tombstone;

/** Whether a value has names and values. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

function isNamed(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const { key, user, seq, time } = value;
  return isText(key) && isText(user) && Number.isFinite(seq) && Number.isFinite(time);
}

/** Whether a stored value is a tombstone. */
export function isTombstone(value: unknown): value is Tombstone {
  return isNamed(value) && value['isGone'] === true;
}

const SEEN = ['update_time', 'revision_time', 'type'];

/** Whether a stored value is an entry: storage is the reader's own to change. */
export function isEntry(value: unknown): value is JournalEntry {
  if (!isNamed(value)) return false;
  const { fields, seen, id, status, requestId, acknowledged, sent } = value;
  if (!isObject(fields) || !areFields(fields)) return false;
  if (seen !== null && !(isObject(seen) && SEEN.every((name) => isText(seen[name])))) return false;
  const isKnown = status === 'new' || status === 'draft' || status === 'normal';
  return isKnown && isTextOrNull(id) && isText(requestId) && isTextOrNull(acknowledged) && isTexts(sent);
}
