import type { JournalEntry } from '../client/journal-entry.ts';
import type { Journal } from '../client/journal.ts';
import { follow, isAcknowledged, isOwn, startAnew } from './draft-entry.ts';
import { digestOf, isUntouched, NOTHING } from './draft-fields.ts';
import { MESSAGES, type DraftParts } from './draft-parts.ts';
import type { Presence } from './draft-presence.ts';
import { startDraft } from './draft-runner.ts';
import { failureOf, type ServerVersion } from './draft-server.ts';
import type { Found } from './draft-state.ts';
import type { Draft, DraftFields } from './draft-types.ts';

/** An article (`id`), or at /write (`id: null`) the newest unfinished text, `isFresh` an empty one. */
export interface DraftTarget {
  id: string | null;
  isFresh?: boolean;
  /** One of `unfinished()`, by its key. */
  key?: string;
}

/** A text that was typed in this browser and is open in none of its tabs. */
export interface Unfinished {
  key: string;
  /** Its article, once there is one. */
  id: string | null;
  fields: DraftFields;
  /** When it was last changed, ISO 8601. */
  time: string;
  /** Whether it was laid aside in a conflict. */
  isAside: boolean;
}

/** What opening needs besides what the draft needs itself. */
export interface OpenParts extends DraftParts {
  user: string;
  journal: Journal;
  /** Claims an entry for this editor: how to give it back, or null when another one has it open. */
  claim(key: string): Promise<(() => void) | null>;
  presence(key: string): Presence;
}

/** How long /write offers an unfinished text that the server has; later it is among the drafts alone. */
const OFFERED_MS = 7 * 24 * 3_600_000;
/** How long what was laid aside is offered; then whoever laid it aside has missed nothing of it. */
const ASIDE_MS = 30 * 24 * 3_600_000;

interface Claimed {
  found: Found;
  release: () => void;
}

/**
 * Opens a text with all that was typed on it here and is not yet safe on the server.
 * @throws CallError where the article cannot be had and nothing of it is here
 */
export async function openText(target: DraftTarget, parts: OpenParts): Promise<Draft> {
  const { found, release } = (await findHere(target, parts)) ?? (await begin(target, parts));
  const presence = parts.presence(found.entry.key);
  const closed = () => {
    presence.close();
    release();
  };
  const draft = startDraft(found, { $elsewhere: presence.$elsewhere, closed }, parts);
  draft.$id.subscribe((id) => {
    if (id !== null) presence.opened(id);
  });
  return draft;
}

/** The entries of this user that no editor has open. */
export async function listUnfinished(
  parts: Pick<OpenParts, 'journal' | 'user' | 'claim' | 'clock'>,
): Promise<Unfinished[]> {
  const list: Unfinished[] = [];
  for (const entry of await listEntries(parts)) {
    if (!entry.isNew && isAcknowledged(entry)) continue;
    const release = await parts.claim(entry.key);
    release?.();
    const { key, id, fields, time, isAside = false } = entry;
    if (release) list.push({ key, id, fields, time: new Date(time).toISOString(), isAside });
  }
  return list;
}

/** Newest first, without those that nobody needs any more. */
async function listEntries({
  journal,
  user,
  clock,
}: Pick<OpenParts, 'journal' | 'user' | 'clock'>): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (const entry of await journal.list(user)) {
    const isOver = (age: number) => entry.time < clock.now() - age;
    const isOld = isAcknowledged(entry) ? isOver(OFFERED_MS) : entry.isAside === true && isOver(ASIDE_MS);
    const isEmpty = entry.id === null && !entry.isRequested && isUntouched(entry.fields);
    if (isOld || isEmpty) void journal.remove(entry);
    else entries.push(entry);
  }
  return entries;
}

/** The newest fitting entry that is still of use, compared with the server. */
async function findHere(target: DraftTarget, parts: OpenParts): Promise<Claimed | null> {
  if (target.isFresh) return null;
  const fits = (entry: JournalEntry) => {
    if (target.key !== undefined) return entry.key === target.key;
    return target.id === null ? entry.isNew : entry.id === target.id;
  };
  for (const entry of (await listEntries(parts)).filter(fits)) {
    const release = await parts.claim(entry.key);
    if (!release) continue;
    const found = await compare(entry, target, parts);
    if (found) {
      // Somebody who opens the article itself goes on there, and begins the next text with an empty page.
      const isNew = target.id === null && found.entry.isNew;
      const { isAside: _, ...rest } = found.entry;
      return { found: { ...found, entry: { ...rest, isNew } }, release };
    }
    await parts.journal.remove(entry);
    release();
  }
  return null;
}

/** How the entry stands to the server's version; null when all of it is there and goes on there. */
async function compare(
  entry: JournalEntry,
  target: DraftTarget,
  { server, newId }: OpenParts,
): Promise<Found | null> {
  if (entry.id === null) return { entry };
  let version: ServerVersion;
  try {
    version = await server.load(entry.id);
  } catch (error) {
    if (failureOf(error) !== 'gone') return { entry, failure: error };
    return isAcknowledged(entry) ? null : { entry: startAnew(entry, newId()), message: MESSAGES.gone };
  }
  const isOver = target.id === null && version.status === 'normal' && isAcknowledged(entry);
  return isOver ? null : reconcile(entry, version);
}

function reconcile(entry: JournalEntry, version: ServerVersion): Found {
  const { seen, overtaken } = version;
  const isUnchanged =
    entry.seen?.update_time === seen.update_time && entry.seen.revision_time === seen.revision_time;
  if (isUnchanged && !overtaken) return { entry };
  if (isAcknowledged(entry)) return takeOver(entry, version);
  if (!isOwn(entry, entry.fields, version)) return { entry, conflict: version };
  return { entry: follow(entry, version) };
}

/** Shows the server's version; where it holds two, the one that was overtaken beside the other. */
function takeOver(entry: JournalEntry, version: ServerVersion): Found {
  const fields = version.overtaken?.fields ?? version.fields;
  const isOneText = !version.overtaken || digestOf(fields) === digestOf(version.fields);
  const followed = { ...follow(entry, version), fields };
  return isOneText ? { entry: followed } : { entry: followed, conflict: version };
}

/** A new entry, for an empty text or the server's version. */
async function begin(target: DraftTarget, parts: OpenParts): Promise<Claimed> {
  const entry: JournalEntry = {
    key: parts.newId(),
    user: parts.user,
    seq: 0,
    time: parts.clock.now(),
    fields: NOTHING,
    isNew: target.id === null,
    id: null,
    status: 'new',
    requestId: parts.newId(),
    isRequested: false,
    seen: null,
    acknowledged: null,
    sent: [],
  };
  const found = target.id === null ? { entry } : takeOver(entry, await parts.server.load(target.id));
  const release = (await parts.claim(entry.key)) ?? (() => undefined);
  return { found, release };
}
