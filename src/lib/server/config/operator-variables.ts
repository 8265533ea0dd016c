import { z } from 'zod';
import {
  byGroup,
  fieldsOf,
  formOf,
  type SettingGroup,
  type Variables,
} from '../../contract/rules/operator-settings.ts';
import { backupFields, backupOf } from './backup-settings.ts';
import { mailFields, parseVariables, searchFields, searchOf, smtpOf, smtpParts } from './config-fields.ts';

function groupOf<T extends z.ZodRawShape, Value>(
  group: SettingGroup,
  fields: T,
  valueOf: (parsed: z.infer<z.ZodObject<T>>) => Value,
  shown: (texts: Variables) => Variables = (texts) => texts,
) {
  const schema = z.object(fields);
  const { on } = formOf(group);
  const names = fieldsOf(group).flatMap(([name, { isSecret }]) => (isSecret ? [] : [name]));
  const read = (texts: Variables): Value => valueOf(parseVariables(schema, texts));
  return {
    /** Whether the database has the variable only sealed, and no answer contains it. */
    isSecret: (name: string) => !names.includes(name),
    /** Selects the variables of the group that have a text. */
    pick: (texts: Readonly<Record<string, string | undefined>>): Variables =>
      Object.fromEntries(
        Object.keys(fields).flatMap((name) => {
          const text = texts[name];
          return text === undefined || text === '' ? [] : [[name, text]];
        }),
      ),
    /** Returns the variables by the fields of the console. */
    shown,
    /** @throws ConfigError naming the invalid variable */
    read,
    /** Reads variables of which those of the console stay stored while it is off. @throws ConfigError */
    readStored: (texts: Variables): Value => read(on === null || shown(texts)[on] ? texts : {}),
  };
}

/** Settings that the environment or the console defines; each group is validated as a whole. */
export const SETTING_GROUPS = {
  /** Mail server and sender; null when mail is off. Contains a password: never show it. */
  mail: groupOf('mail', mailFields, smtpOf, smtpParts),
  /** Pushes to search engines, and their meta tags. */
  search: groupOf('search', searchFields, searchOf),
  /** Automatic backups; null when they are off. Contains keys: never show them. */
  backup: groupOf('backup', backupFields, backupOf),
};

export type SettingGroups = typeof SETTING_GROUPS;
/** Parsed settings of each group. */
export type OperatorValues = { [G in SettingGroup]: ReturnType<SettingGroups[G]['read']> };
type Given = Readonly<Record<SettingGroup, Variables>>;

/** Reads the environment: texts by variable, and the values of each group. @throws ConfigError */
export function readOperator(environment: NodeJS.ProcessEnv) {
  const given = byGroup<Given>((group) => SETTING_GROUPS[group].pick(environment));
  return { given, ...byGroup<OperatorValues>((group) => SETTING_GROUPS[group].read(given[group])) };
}
