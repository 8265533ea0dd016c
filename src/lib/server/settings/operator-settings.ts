import type { KeyObject } from 'node:crypto';
import type { OperatorValues, SettingGroup, SettingGroups, Variables } from '../config/operator-variables.ts';
import { cacheValue } from '../db/cached-value.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { Core } from '../services.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { seal, unseal } from '../shared/seal.ts';
import { selectSettings, storeSettings } from './operator-queries.ts';

/** A setting that may change while the server runs. */
export interface Current<T> {
  /** Returns it as stored now, on every node. */
  read(): Promise<T>;
  /** As last read, for callers that cannot wait. */
  readonly known: T;
}

/** Texts and values of a group of settings. */
interface Held<G extends SettingGroup> {
  /** Variables in effect, of the environment or else of the console. Contains secrets. */
  texts: Variables;
  value: OperatorValues[G];
  /** Whether the console's settings cannot be used: sealed with another secret, or of another version. */
  isBroken: boolean;
}
type AllHeld = { [G in SettingGroup]: Held<G> };

interface Parts extends Core {
  /** Variables of the environment, which take precedence. */
  given: Readonly<Record<SettingGroup, Variables>>;
  groups: SettingGroups;
  /** Seals the secrets. */
  key: KeyObject;
}

export type OperatorSettings = Awaited<ReturnType<typeof createOperatorSettings>>;

/** Settings of the operator that the environment or the console defines; they apply without a restart. */
export async function createOperatorSettings({ db, events, log, given, groups, key }: Parts) {
  function hold<G extends SettingGroup>(group: G, stored: Variables | undefined): Held<G> {
    const { secrets, pick } = groups[group];
    const read = groups[group].read as (texts: Variables) => OperatorValues[G];
    const opened = Object.entries(stored ?? {}).map(([name, text]) => [
      name,
      secrets.includes(name) ? unseal(key, name, text) : text,
    ]);
    const isSealed = opened.some(([, text]) => text === null);
    try {
      const readable = Object.fromEntries(opened.filter(([, text]) => text !== null)) as Variables;
      const texts = pick({ ...readable, ...given[group] });
      return { texts, value: read(texts), isBroken: isSealed };
    } catch (error) {
      log.warn({ err: error, group }, 'settings of the console are unusable');
      return { texts: given[group], value: read(given[group]), isBroken: true };
    }
  }

  async function holdAll(handle: Queryable): Promise<AllHeld> {
    const stored = await selectSettings(handle);
    return {
      mail: hold('mail', stored.get('mail')),
      search: hold('search', stored.get('search')),
      backup: hold('backup', stored.get('backup')),
    };
  }

  /** Returns the value of a group with these variables of the console. Refuses with FIELD_INVALID. */
  function valueOf<G extends SettingGroup>(group: G, texts: Variables): OperatorValues[G] {
    const read = groups[group].read as (texts: Variables) => OperatorValues[G];
    try {
      return read(groups[group].pick({ ...texts, ...given[group] }));
    } catch (error) {
      return refuse('FIELD_INVALID', { text: `设置有误：${(error as Error).message}` });
    }
  }

  let known: AllHeld;
  const read = cacheValue(
    { db, events },
    ({ type }) => type === 'options-changed',
    async () => (known = await holdAll(db.read)),
  );
  events.listen(({ type }) => {
    if (type === 'options-changed' || type === 'anything') read().catch(() => undefined);
  });
  known = await read();

  return {
    /** Variables of the environment, which the console cannot change. */
    given,
    /** Returns all groups as stored now, or as `handle` sees them. */
    held: (handle?: Queryable): Promise<AllHeld> => (handle ? holdAll(handle) : read()),

    current: <G extends SettingGroup>(group: G): Current<OperatorValues[G]> => ({
      read: async () => (await read())[group].value,
      get known() {
        return known[group].value;
      },
    }),

    valueOf,
    /**
     * Replaces the console's variables of a group inside `trx`; every node uses them once it has committed.
     * Refuses with FIELD_INVALID.
     */
    async store(trx: Trx, group: SettingGroup, texts: Variables): Promise<void> {
      valueOf(group, texts);
      const { secrets, pick } = groups[group];
      const wanted = pick(texts);
      const own = Object.entries(wanted).filter(([name]) => given[group][name] === undefined);
      const sealed = own.map(([name, text]) => [name, secrets.includes(name) ? seal(key, name, text) : text]);
      await storeSettings(trx, group, Object.fromEntries(sealed) as Variables);
      events.emit(trx, { type: 'options-changed' });
    },
  };
}
