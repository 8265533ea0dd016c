import type { KeyObject } from 'node:crypto';
import type { OperatorValues, SettingGroups } from '../config/operator-variables.ts';
import { cacheValue } from '../db/cached-value.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { Core } from '../services.ts';
import { refuse } from '../../contract/rules/errors.ts';
import {
  byGroup,
  formOf,
  type SettingGroup,
  type Variables,
} from '../../contract/rules/operator-settings.ts';
import { hashOf, seal, unseal } from '../shared/seal.ts';
import { selectSettings, storeSettings } from './operator-queries.ts';

/** A setting that may change while the server runs. */
export interface Current<T> {
  /** Returns it as stored now, on every node. */
  read(): Promise<T>;
  /** As last read, for callers that cannot wait. */
  readonly known: T;
}

/** Texts and values of a group of settings. */
export interface Held<G extends SettingGroup = SettingGroup> {
  /** Variables in effect by fields, of the environment or else of the console. Contains secrets. */
  texts: Variables;
  value: OperatorValues[G];
  /** Whether the console's settings cannot be used: sealed with another secret, or of another version. */
  isBroken: boolean;
  /** Version of what is stored, which a change names. */
  version: string;
}
type AllHeld = { [G in SettingGroup]: Held<G> };

/** Purpose of the key that seals the secrets. */
export const SETTINGS_KEY = 'operator settings';

interface Settings {
  log?: Pick<Core['log'], 'warn'>;
  /** Variables of the environment, which take precedence. */
  given: Readonly<Record<SettingGroup, Variables>>;
  /** Files that set some of them. */
  sources: Variables;
  groups: SettingGroups;
  /** Seals the secrets. */
  key: KeyObject;
}

export type OperatorSettings = Awaited<ReturnType<typeof createOperatorSettings>>;

const VERSION_CHARACTERS = 16;

/** Reads settings of the environment and of the console together. */
export function holdSettings({ log, given, sources, groups, key }: Settings) {
  /** Source of each field that the environment sets. */
  const fixed = byGroup<Record<SettingGroup, Variables>>((group) => {
    const [first = ''] = Object.keys(given[group]);
    const names = Object.keys(groups[group].shown(given[group]));
    return Object.fromEntries(
      names.map((name) => [name, sources[name] ?? (name in given[group] ? name : first)]),
    );
  });

  /** Returns the variables in effect: while a group is off, the console's are stored but unused. */
  function effective(group: SettingGroup, texts: Variables): Variables {
    const { on } = formOf(group);
    return on === null || groups[group].shown(texts)[on] ? texts : given[group];
  }

  function hold(group: SettingGroup, stored: Variables = {}): Held {
    const { isSealed, pick, read, shown } = groups[group];
    const version = hashOf(JSON.stringify(stored)).slice(0, VERSION_CHARACTERS);
    const opened = Object.entries(stored).map(([name, text]) => [
      name,
      isSealed(name) ? unseal(key, name, text) : text,
    ]);
    const isLost = opened.some(([, text]) => text === null);
    try {
      const readable = Object.fromEntries(opened.filter(([, text]) => text !== null)) as Variables;
      const own = Object.entries(pick(shown(readable))).filter(([name]) => !(name in fixed[group]));
      const texts = { ...Object.fromEntries(own), ...given[group] };
      return { texts: shown(texts), value: read(effective(group, texts)), isBroken: isLost, version };
    } catch (error) {
      log?.warn({ err: error, group }, 'settings of the console are unusable');
      return { texts: shown(given[group]), value: read(given[group]), isBroken: true, version };
    }
  }

  async function holdAll(handle: Queryable): Promise<AllHeld> {
    const stored = await selectSettings(handle);
    return byGroup<AllHeld>((group) => hold(group, stored.get(group)) as AllHeld[SettingGroup]);
  }

  /** Returns the value of a group with these variables of the console. Refuses with FIELD_INVALID. */
  function valueOf<G extends SettingGroup>(group: G, texts: Variables): OperatorValues[G] {
    const { pick, read } = groups[group];
    try {
      return read(effective(group, { ...pick(texts), ...given[group] })) as OperatorValues[G];
    } catch (error) {
      return refuse('FIELD_INVALID', { text: `设置有误：${(error as Error).message}` });
    }
  }

  return { fixed, holdAll, valueOf };
}

/** Settings of the operator that the environment or the console defines; they apply without a restart. */
export async function createOperatorSettings({ db, events, ...settings }: Core & Settings) {
  const { groups, key } = settings;
  const { fixed, holdAll, valueOf } = holdSettings(settings);

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
    groups,
    /** Variable of the environment by field that it sets: the console cannot change it. */
    fixed,
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
      const { isSealed, pick } = groups[group];
      const own = Object.entries(pick(texts)).filter(([name]) => !(name in fixed[group]));
      const sealed = own.map(([name, text]) => [name, isSealed(name) ? seal(key, name, text) : text]);
      await storeSettings(trx, group, Object.fromEntries(sealed) as Variables);
      events.emit(trx, { type: 'options-changed' });
    },
  };
}
