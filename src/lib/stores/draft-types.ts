import type { ReadableAtom } from 'nanostores';
import type { FieldErrors } from '../client/check.ts';
import type { DraftFields } from '../client/journal-entry.ts';
import type { ServerVersion } from './draft-server.ts';

export type { DraftFields };

/**
 * How safe the text is:
 * - `clean` nothing changed yet · `dirty` changed, about to be saved · `saving` 保存中 · `saved` 已保存 on the
 *   server
 * - `local` 离线，已存本机: kept in this browser, and sent when that is possible again
 * - `conflict` changed elsewhere; waits for the author's choice
 * - `failed` not saved, `$message` says why
 */
export type SaveState = 'clean' | 'dirty' | 'saving' | 'saved' | 'local' | 'conflict' | 'failed';

export interface Version {
  fields: DraftFields;
  /** ISO 8601. */
  time: string;
}

/** A version that this editor has not saved. */
export interface OtherVersion extends Version {
  /** Whether another window of this browser has saved it. */
  isOfThisBrowser: boolean;
  /** What the device that saved it calls itself; the empty string where nobody knows. */
  savedBy: string;
}

/** A text being written. */
export interface Draft {
  /** What the editor shows at first, and again after `resolve`; not what is typed since. */
  readonly $fields: ReadableAtom<DraftFields>;
  readonly $state: ReadableAtom<SaveState>;
  /** What there is to say besides: why it failed, nobody is signed in, the article was deleted. */
  readonly $message: ReadableAtom<string | null>;
  /** Whether saving waits for the author to sign in again: show a link to the sign-in page. */
  readonly $needsSignIn: ReadableAtom<boolean>;
  /** When the server last took the text, ISO 8601. */
  readonly $savedAt: ReadableAtom<string | null>;
  readonly $conflict: ReadableAtom<{ mine: Version; theirs: OtherVersion } | null>;
  /** Whether another tab of this browser has the same article open. */
  readonly $elsewhere: ReadableAtom<boolean>;
  /** The article's id, once there is one. */
  readonly $id: ReadableAtom<string | null>;
  readonly $status: ReadableAtom<'normal' | 'draft' | 'new'>;
  /** Takes what was typed: kept in this browser before it returns, on the server soon after. */
  change(fields: Partial<DraftFields>): void;
  /**
   * Saves, readers see nothing. Afterwards the empty editor (/write) begins anew.
   * @throws DraftRefused for the form to show; Conflict; CallError, told by `$state` and `$message` too
   */
  saveDraft(): Promise<void>;
  /** Publishes the text; resolves to its article's id, one however often called. @throws as `saveDraft` */
  publish(): Promise<string>;
  /** Deletes the article and everything typed. @throws CallError */
  remove(): Promise<void>;
  /**
   * Ends a conflict: with this text, the other, or one of both. What of either does not come into the chosen
   * text is laid aside, among `unfinished()`.
   */
  resolve(choice: 'mine' | 'theirs' | DraftFields): Promise<void>;
  /** Ends the editor; the rest is sent, and kept here. Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

/** The server holds a version that this editor has not seen: only the author can say which one stays. */
export class Conflict extends Error {
  override name = 'Conflict';
  readonly theirs: ServerVersion;
  constructor(theirs: ServerVersion) {
    super('the article has changed elsewhere');
    this.theirs = theirs;
  }
}

/** What is wrong with the text, by field: as `checkFields` tells it. */
export class DraftRefused extends Error {
  override name = 'DraftRefused';
  readonly fields: FieldErrors;
  constructor(fields: FieldErrors) {
    super(Object.values(fields)[0] ?? '');
    this.fields = fields;
  }
}
