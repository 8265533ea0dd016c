import type { ReadableAtom } from 'nanostores';
import type { FieldErrors } from '../../client/check.ts';
import type { DraftFields } from '../../client/journal/journal-entry.ts';
import type { ServerVersion } from './draft-server.ts';

export type { DraftFields };

/**
 * States of saving:
 * - `clean`: not changed yet
 * - `dirty`: changed, about to be saved
 * - `saving`: 保存中
 * - `saved`: 已保存, on the server
 * - `local`: 离线，已存本机, kept in this browser and sent as soon as possible
 * - `conflict`: changed elsewhere; the author has to choose
 * - `failed`: not saved; `$message` says why
 */
export type SaveState = 'clean' | 'dirty' | 'saving' | 'saved' | 'local' | 'conflict' | 'failed';

export interface Version {
  fields: DraftFields;
  /** ISO 8601. */
  time: string;
}

export interface OtherVersion extends Version {
  isOfThisBrowser: boolean;
  savedBy: string;
}

export interface Draft {
  /** Text for the editor to show, initially and after `resolve`; does not follow typing. */
  readonly $fields: ReadableAtom<DraftFields>;
  readonly $state: ReadableAtom<SaveState>;
  /** Why saving failed, that the author is signed out, or that the article was deleted. */
  readonly $message: ReadableAtom<string | null>;
  readonly $needsSignIn: ReadableAtom<boolean>;
  /** Time of the last save on the server, ISO 8601. */
  readonly $savedAt: ReadableAtom<string | null>;
  readonly $conflict: ReadableAtom<{ mine: Version; theirs: OtherVersion } | null>;
  readonly $elsewhere: ReadableAtom<boolean>;
  readonly $id: ReadableAtom<string | null>;
  /** Type of the article that it changes; '' for a new one. */
  readonly $type: ReadableAtom<string>;
  readonly $status: ReadableAtom<'normal' | 'draft' | 'new'>;
  /** Stores typed text in this browser before it returns, and on the server soon after. */
  change(fields: Partial<DraftFields>): void;
  /**
   * Saves the text without publishing it. Afterwards /write starts with an empty text.
   * @throws DraftRefused for the form to show; Conflict; CallError, also shown by `$state` and `$message`
   */
  saveDraft(): Promise<void>;
  /**
   * Publishes the text and resolves to the article's id; simultaneous calls publish once. @throws as
   * `saveDraft`
   */
  publish(): Promise<string>;
  /** Deletes the article and everything typed. @throws CallError */
  remove(): Promise<void>;
  /**
   * Ends a conflict with this text, the other text, or a mixture of both. Text that the choice does not
   * contain is set aside and listed by `unfinished()`.
   */
  resolve(choice: 'mine' | 'theirs' | DraftFields): Promise<void>;
  /** Closes the editor; unsent text is sent and kept in this browser. Resolves when nothing is under way. */
  close(): Promise<void>;
}

export class Conflict extends Error {
  override name = 'Conflict';
  readonly theirs: ServerVersion;
  constructor(theirs: ServerVersion) {
    super('the article has changed elsewhere');
    this.theirs = theirs;
  }
}

export class DraftRefused extends Error {
  override name = 'DraftRefused';
  readonly fields: FieldErrors;
  constructor(fields: FieldErrors) {
    super(Object.values(fields)[0] ?? '');
    this.fields = fields;
  }
}
