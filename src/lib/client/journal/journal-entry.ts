import { areFields, type Authored } from '../../contract/rules/authored-fields.ts';

export type DraftFields = Authored;

/** Text of one open editor, and its knowledge of the server's version. */
export interface JournalEntry {
  /** Identifies the entry. No two editors write the same one. */
  readonly key: string;
  /** Owner of the text, which is hidden from other users of this browser. */
  readonly user: string;
  /** Grows with every write, to tell which of two copies is newer. */
  readonly seq: number;
  /** Last change, in milliseconds since the epoch. */
  readonly time: number;
  readonly fields: DraftFields;
  /** Whether it is a new, unfinished text, which the empty editor continues. */
  readonly isNew: boolean;
  /** Set aside by a resolved conflict: offered for a while, but not continued automatically. */
  readonly isAside?: boolean;
  /** Id of the article on the server; null until it is created. */
  readonly id: string | null;
  readonly status: 'new' | 'draft' | 'normal';
  /** Identifies the creation of the article, so a repeated call creates only one. */
  readonly requestId: string;
  /** Whether that call may have reached the server. */
  readonly isRequested: boolean;
  /**
   * The version that the text is based on: times of the article and of its revision (without a revision, of
   * the article again), and type.
   */
  readonly seen: { update_time: string; revision_time: string; type: string } | null;
  /** Digest of the server's version at `seen`. The text is safe on the server if its digest is the same. */
  readonly acknowledged: string | null;
  /** Digests sent since then, which may have arrived without a response. */
  readonly sent: readonly string[];
}

/** Turns the text into a separate new article; `requestId` identifies its creation. */
export const startOver = (entry: JournalEntry, requestId: string): JournalEntry => ({
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

/** Replaces an entry that is no longer needed, so older copies of it are not restored. */
export interface Tombstone {
  key: string;
  user: string;
  seq: number;
  time: number;
  isGone: true;
}
export type Stored = JournalEntry | Tombstone;

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

export function isTombstone(value: unknown): value is Tombstone {
  return isNamed(value) && value['isGone'] === true;
}

const SEEN = ['update_time', 'revision_time', 'type'];

/** Whether a stored value is an entry. Readers can change what is in their storage. */
export function isEntry(value: unknown): value is JournalEntry {
  if (!isNamed(value)) return false;
  const { fields, seen, id, status, requestId, acknowledged, sent } = value;
  if (!isObject(fields) || !areFields(fields)) return false;
  if (seen !== null && !(isObject(seen) && SEEN.every((name) => isText(seen[name])))) return false;
  const isKnown = status === 'new' || status === 'draft' || status === 'normal';
  return isKnown && isTextOrNull(id) && isText(requestId) && isTextOrNull(acknowledged) && isTexts(sent);
}
