import { CallError } from '../client/call-error.ts';
import { startAnew, type DraftFields, type JournalEntry } from '../client/journal.ts';
import { digestOf, NOTHING } from './draft-fields.ts';
import { failureOf, type DraftServer, type ServerVersion } from './draft-server.ts';

/** Thrown when the server holds a version that this editor has not seen: only the author can say which one stays. */
export class Conflict extends Error {
  override name = 'Conflict';
  readonly theirs: ServerVersion;
  constructor(theirs: ServerVersion) {
    super('the article has changed elsewhere');
    this.theirs = theirs;
  }
}

/** What a save needs: the entry, which it brings up to date, and how to write it into the journal. */
export interface Saver {
  entry: JournalEntry;
  server: DraftServer;
  keep(): void;
  newId(): string;
  /** Told when the article was deleted elsewhere and the text goes on as a new one. */
  restarted(): void;
}

/** Sends, finds out and sends again: more rounds than this are two editors saving in turn. */
const ROUNDS = 6;
const REMEMBERED = 100;

/**
 * Brings `fields` to the server: a new text as a draft, a draft as a draft, a published article as an unpublished revision; with
 * `isPublishing` as the article itself. Repeating it is safe whatever became of earlier answers: what was sent is remembered before,
 * and a version found on the server is this editor's own when it is one of those.
 * @throws Conflict, CallError
 */
export async function saveToServer(saver: Saver, fields: DraftFields, isPublishing: boolean): Promise<void> {
  const { entry } = saver;
  let isBehind = false;
  for (let round = 0; round < ROUNDS; round++) {
    if (!isBehind && isThere(entry, fields, isPublishing)) return;
    try {
      if (isBehind) await catchUp(saver, fields);
      isBehind = isBehind ? false : !(await send(saver, fields, isPublishing));
    } catch (error) {
      const failure = failureOf(error);
      isBehind = failure === 'changed';
      if (failure === 'gone' && entry.id !== null) {
        startAnew(entry, saver.newId());
        saver.restarted();
      } else if (!isBehind) throw error;
    }
  }
  throw new CallError('fault', '文章正在别处修改，请稍后再试');
}

/** Whether the text is safe on the server. Not while something sent since may have taken its place there. */
export const isAcknowledged = (entry: JournalEntry, fields: DraftFields = entry.fields) =>
  entry.id !== null && entry.sent.length === 0 && entry.acknowledged === digestOf(fields);

function isThere(entry: JournalEntry, fields: DraftFields, isPublishing: boolean): boolean {
  const isPublished = entry.status === 'normal' && entry.seen?.revision_time === entry.seen?.update_time;
  return isAcknowledged(entry, fields) && (!isPublishing || isPublished);
}

/** One call. False when the article turned out to be there already, in a version still to be looked at. */
async function send({ entry, server, keep }: Saver, fields: DraftFields, isPublishing: boolean) {
  const digest = digestOf(fields);
  // Of a day without network the first and the last attempts: those may have arrived.
  if (!entry.sent.includes(digest))
    entry.sent = [
      ...entry.sent.slice(0, REMEMBERED),
      ...entry.sent.slice(REMEMBERED).slice(-REMEMBERED),
      digest,
    ];
  const status = isPublishing ? 'normal' : 'draft';
  if (entry.id === null) {
    entry.isRequested = true;
    keep();
    const { id, seen } = await server.create(fields, status, entry.requestId);
    Object.assign(entry, { id, status, seen });
    if (seen === null) return false;
  } else {
    keep();
    if (!entry.seen) return false;
    if (isPublishing || entry.status === 'draft') {
      entry.seen = await server.edit(entry.id, fields, status, entry.seen);
      entry.status = status;
    } else entry.seen = await server.revise(entry.id, fields, entry.seen);
  }
  Object.assign(entry, { acknowledged: digest, sent: [] });
  return true;
}

async function catchUp({ entry, server, keep }: Saver, fields: DraftFields): Promise<void> {
  const theirs = await server.load(entry.id ?? '');
  if (!isOwn(entry, fields, theirs)) throw new Conflict(theirs);
  follow(entry, theirs);
  keep();
}

/** Whether there is nothing in the server's version that did not come from this editor. */
export function isOwn(entry: JournalEntry, fields: DraftFields, theirs: ServerVersion): boolean {
  const own = new Set([...entry.sent, entry.acknowledged, digestOf(fields)]);
  const isKnown = (version: { fields: DraftFields } | null) => !version || own.has(digestOf(version.fields));
  return isKnown(theirs) && isKnown(theirs.overtaken);
}

/** Takes the server's version for the one that the text is based on. */
export function follow(entry: JournalEntry, theirs: ServerVersion): void {
  const { id, status, seen } = theirs;
  // An overtaken revision stays on the server until another one is written over it.
  const acknowledged = theirs.overtaken ? null : digestOf(theirs.fields);
  Object.assign(entry, { id, status, seen, acknowledged, sent: [] });
}

/** Deletes the article from the server, whether or not it is known to be there. @throws CallError */
export async function removeFromServer({ entry, server }: Pick<Saver, 'entry' | 'server'>): Promise<void> {
  let { id } = entry;
  if (id === null && entry.isRequested) {
    // A creation whose answer was lost may have made an article: repeated, it tells which.
    const fields = { ...NOTHING, title: '草稿' };
    ({ id } = await server.create(fields, 'draft', entry.requestId));
  }
  if (id === null) return;
  try {
    await server.remove(id);
  } catch (error) {
    if (failureOf(error) !== 'gone') throw error;
  }
}
