import { atom } from 'nanostores';
import { isCallError } from '../../client/call-error.ts';
import type { Client } from '../../client/client.ts';
import { toForm } from '../../client/form.ts';
import { isRefusedWith } from '../../client/is-refused-with.ts';
import type { DraftFields, JournalEntry } from '../../client/journal/journal-entry.ts';
import { allFields, pickFields } from '../../contract/rules/authored-fields.ts';
import type { ArticleSource } from '../../contract/entities.ts';

/** Times and type of the server's version that the text is based on, sent with each save. */
export type Seen = NonNullable<JournalEntry['seen']>;

export interface ServerVersion {
  id: string;
  status: 'draft' | 'normal';
  fields: DraftFields;
  /** Time of the last save, ISO 8601. */
  time: string;
  savedBy: string;
  seen: Seen;
  /** Revision typed on an older version of the article, kept for the author to decide about. */
  overtaken: { fields: DraftFields; time: string; savedBy: string } | null;
}

/** Calls of a draft in its author's name. All throw `CallError`. */
export type DraftServer = ReturnType<typeof createDraftServer>;

/** The article whose change was last published from this page and waits for staff. */
export const $submitted = atom<string | null>(null);

/** Browsers send at most 64 KiB of a request that outlives its page. */
const MAX_KEEPALIVE_BYTES = 60_000;
/** Timeout of a call: long enough for a long text on a slow connection. Then it is retried. */
const SAVE_TIMEOUT_MS = 120_000;

/** @param user the author; no call is made while another user is signed in */
export function createDraftServer(call: Client['call'], user: string) {
  const background = () => ({ background: true, as: user, signal: AbortSignal.timeout(SAVE_TIMEOUT_MS) });
  const lasting = (fields: Parameters<typeof toForm>[0] & { content: string }) => ({
    ...background(),
    // Encoding never shortens a text, so a long one need not be encoded to know.
    keepalive:
      fields.content.length < MAX_KEEPALIVE_BYTES && toForm(fields).toString().length < MAX_KEEPALIVE_BYTES,
  });
  return {
    async load(id: string): Promise<ServerVersion> {
      return toVersion(await call('articleSource', { id }, background()));
    },
    /** Resolves with `seen` null if the server returns no times or if the article already existed. */
    async create(fields: DraftFields, status: ServerVersion['status'], request_id: string) {
      const input = { ...allFields(fields), status, request_id, type: '' };
      const { id, update_time, repeated } = await call('articleCreate', input, lasting(input));
      return { id, seen: repeated || update_time === undefined ? null : seenAt(update_time, '') };
    },
    async edit(id: string, fields: DraftFields, status: ServerVersion['status'], seen: Seen): Promise<Seen> {
      const input = { id, ...allFields(fields), status, ...seen };
      const { update_time, pending, revision_time } = await call('articleEdit', input, lasting(input));
      if (!pending || revision_time === undefined) return seenAt(update_time ?? UNTOLD, seen.type);
      $submitted.set(id);
      return { ...seen, update_time: update_time ?? UNTOLD, revision_time };
    },
    async revise(id: string, fields: DraftFields, seen: Seen): Promise<Seen> {
      const { type: _, ...times } = seen;
      const input = { id, ...allFields(fields), ...times };
      const { revision_time } = await call('revisionSave', input, lasting(input));
      return { ...seen, revision_time };
    },
    async remove(id: string): Promise<void> {
      await call('articleDelete', { id }, background());
    },
  };
}

/** Placeholder for servers that return no time; sent back, it has no effect. */
const UNTOLD = '';

const seenAt = (time: string, type: string): Seen => ({ update_time: time, revision_time: time, type });

function toVersion({ _id, status, revision, type, ...article }: ArticleSource): ServerVersion {
  const update_time = article.update_time ?? UNTOLD;
  const own = pickFields(article);
  const seen = { update_time, revision_time: revision?.revision_time ?? update_time, type };
  const isCurrent = revision?.base_time === update_time;
  return {
    id: _id,
    status: status === 'draft' ? 'draft' : 'normal',
    fields: revision && isCurrent ? pickFields(revision) : own,
    time: isCurrent ? seen.revision_time : update_time,
    savedBy: (isCurrent ? revision : article).saved_by ?? '',
    seen,
    overtaken:
      revision && !isCurrent
        ? {
            fields: pickFields(revision),
            time: revision.revision_time,
            savedBy: revision.saved_by ?? '',
          }
        : null,
  };
}

/**
 * Meaning of a failed save:
 * - `changed`: there is a newer version; `gone`: the article was deleted
 * - `signed-out`: the author is not signed in
 * - `unsupported`: another server implementation, without this call
 * - `refused`: the text breaks a rule, and will until it is changed
 * - `later`: no response, or a temporary refusal
 */
export type Failure = 'changed' | 'gone' | 'signed-out' | 'unsupported' | 'refused' | 'later';

export function failureOf(error: unknown): Failure {
  if (isCallError(error, 'signed-out')) return 'signed-out';
  if (!isCallError(error, 'refused')) return 'later';
  if (isRefusedWith(error, 'ARTICLE_CHANGED')) return 'changed';
  if (isRefusedWith(error, 'ARTICLE_NOT_FOUND')) return 'gone';
  if (error.status === 404) return 'unsupported';
  return error.status === 429 || error.status >= 500 ? 'later' : 'refused';
}
