import type { JournalEntry } from '../../client/journal/journal-entry.ts';
import type { Journal } from '../../client/journal/journal.ts';
import { follow, isAcknowledged, isOwn, startOver } from './draft-entry.ts';
import { digestOf, isUntouched, NOTHING } from './draft-fields.ts';
import { MESSAGES, type DraftParts } from './draft-parts.ts';
import type { Presence } from './draft-presence.ts';
import { startDraft } from './draft-runner.ts';
import { failureOf, type ServerVersion } from './draft-server.ts';
import type { Found } from './draft-state.ts';
import type { Draft, DraftFields } from './draft-types.ts';

/** An article (`id`), or at /write (`id: null`) the newest unfinished text; with `isFresh` an empty one. */
export interface DraftTarget {
  id: string | null;
  isFresh?: boolean;
  key?: string;
}

export interface Unfinished {
  key: string;
  id: string | null;
  fields: DraftFields;
  /** Time of the last change, ISO 8601. */
  time: string;
  isAside: boolean;
}

export interface OpenParts extends DraftParts {
  user: string;
  journal: Journal;
  /**
   * Claims an entry for this editor. Resolves to a function that releases it, or null if another editor has
   * it open.
   */
  claim(key: string): Promise<(() => void) | null>;
  presence(key: string): Presence;
}

/** How long /write offers an unfinished text that the server has; later only the list of drafts shows it. */
const OFFER_PERIOD_MS = 7 * 24 * 3_600_000;
/** How long a text set aside in a conflict is offered; an author who wanted it has asked for it by then. */
const ASIDE_OFFER_PERIOD_MS = 30 * 24 * 3_600_000;

interface Claimed {
  found: Found;
  release: () => void;
}

/**
 * Opens a text with everything that was typed in this browser and is not yet safe on the server.
 * @throws CallError if the article cannot be loaded and this browser has nothing of it
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

async function listEntries(parts: Pick<OpenParts, 'journal' | 'user' | 'clock'>): Promise<JournalEntry[]> {
  const { journal, user, clock } = parts;
  const entries: JournalEntry[] = [];
  for (const entry of await journal.list(user)) {
    const isOver = (age: number) => entry.time < clock.now() - age;
    const isOld = isAcknowledged(entry)
      ? isOver(OFFER_PERIOD_MS)
      : entry.isAside === true && isOver(ASIDE_OFFER_PERIOD_MS);
    const isEmpty = entry.id === null && !entry.isRequested && isUntouched(entry.fields);
    if (isOld || isEmpty) void journal.remove(entry);
    else entries.push(entry);
  }
  return entries;
}

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
      // Opening the article by its id continues it there; /write then starts with an empty text.
      const isNew = target.id === null && found.entry.isNew;
      const { isAside: _, ...rest } = found.entry;
      return { found: { ...found, entry: { ...rest, isNew } }, release };
    }
    await parts.journal.remove(entry);
    release();
  }
  return null;
}

/**
 * Compares the entry with the server's version. Null if the server has the whole text and editing continues
 * there.
 */
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
    return isAcknowledged(entry) ? null : { entry: startOver(entry, newId()), message: MESSAGES.gone };
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

/**
 * Shows the server's version. If the server holds two, shows the overtaken one and the other as a conflict.
 */
function takeOver(entry: JournalEntry, version: ServerVersion): Found {
  const fields = version.overtaken?.fields ?? version.fields;
  const isOneText = !version.overtaken || digestOf(fields) === digestOf(version.fields);
  const followed = { ...follow(entry, version), fields };
  return isOneText ? { entry: followed } : { entry: followed, conflict: version };
}

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
