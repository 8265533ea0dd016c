import { DEFAULT_OPTIONS, SiteOptions, type SiteOptionChanges } from '../../contract/site-options.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import type { Audit } from '../staff/audit.ts';
import { selectOptions, storeOption } from './option-queries.ts';

export type OptionService = ReturnType<typeof createOptionService>;

/** What the operator settles while the site runs (contract/site-options.ts). */
export function createOptionService({ db, events, audit }: { db: Database; events: Events; audit: Audit }) {
  let kept: { version: number | undefined; options: Promise<SiteOptions> } | null = null;
  events.listen(({ type }) => {
    if (type === 'options-changed' || type === 'anything') kept = null;
  });
  /** Whether every change of others is heard here, or seen by the version of the file. */
  const hearsAll = () => db.notices?.isCurrent() ?? true;
  const read = async (): Promise<SiteOptions> => {
    if (!hearsAll()) return readOptions(db.read);
    // Another process that has written to the same file tells nobody.
    const version = db.foreignVersion?.();
    if (kept?.version !== version) kept = null;
    if (kept) return kept.options;
    const mine = { version, options: readOptions(db.read) };
    kept = mine;
    mine.options.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.options;
  };
  return {
    /** What holds now, on every node: a change is seen by whatever is asked after it was answered. */
    read,
    /** Changes options, `actorId` null on the command line; every node knows. Returns what holds then. */
    change: (changes: SiteOptionChanges, actorId: string | null): Promise<SiteOptions> =>
      db.write(async (trx) => {
        const before = await readOptions(trx);
        const after = { ...before };
        const changed = namesOf(changes).filter((name) => !isSame(changes[name], before[name]));
        if (changed.length === 0) return before;
        Object.assign(after, pick(changes, changed));
        for (const name of changed) await storeOption(trx, name, JSON.stringify(after[name]));
        await audit.write(trx, {
          actorId,
          action: 'options.change',
          subject: { kind: 'site', id: '' },
          before: pick(before, changed),
          after: pick(after, changed),
        });
        events.emit(trx, { type: 'options-changed' });
        return after;
      }),
  };
}

type OptionName = keyof SiteOptions;

const namesOf = (changes: SiteOptionChanges): OptionName[] =>
  SiteOptions.keyof().options.filter((name) => changes[name] !== undefined);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const pick = (options: SiteOptionChanges, names: readonly OptionName[]): SiteOptionChanges =>
  Object.fromEntries(names.map((name) => [name, options[name]]));

/** What is stored, each checked by itself: one that another version stored otherwise is as by default. */
async function readOptions(handle: Queryable): Promise<SiteOptions> {
  const stored = await selectOptions(handle);
  const entries = SiteOptions.keyof().options.map((name) => {
    const value = stored.get(name);
    const known = value === undefined ? undefined : SiteOptions.shape[name].safeParse(JSON.parse(value)).data;
    return [name, known ?? DEFAULT_OPTIONS[name]];
  });
  return Object.fromEntries(entries) as SiteOptions;
}
