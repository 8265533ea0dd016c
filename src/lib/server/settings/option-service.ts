import { DEFAULT_OPTIONS, SiteOptions, type SiteOptionChanges } from '../../contract/site-options.ts';
import type { Queryable } from '../db/database.ts';
import { cacheValue } from '../db/cached-value.ts';
import { selectOptions, storeOption } from './option-queries.ts';
import type { Core } from '../services.ts';

export type OptionService = ReturnType<typeof createOptionService>;

export function createOptionService({ db, events, audit }: Core) {
  const read = cacheValue(
    { db, events },
    ({ type }) => type === 'options-changed',
    () => readOptions(db.read),
  );
  return {
    /** Current options, on every node: a request that follows the response to a change sees it. */
    read,
    /** Changes options on every node; `actorId` is null on the command line. Returns the new options. */
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

/** Reads stored options, each validated separately: those with another version's format are the default. */
async function readOptions(handle: Queryable): Promise<SiteOptions> {
  const stored = await selectOptions(handle);
  const entries = SiteOptions.keyof().options.map((name) => {
    const value = stored.get(name);
    const known = value === undefined ? undefined : SiteOptions.shape[name].safeParse(JSON.parse(value)).data;
    return [name, known ?? DEFAULT_OPTIONS[name]];
  });
  return Object.fromEntries(entries) as SiteOptions;
}
