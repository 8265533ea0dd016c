import { z } from 'zod';
import { backupFields, backupOf } from './backup-settings.ts';
import { mailFields, parseVariables, searchFields, searchOf, smtpOf } from './config-fields.ts';

/** Texts by environment variable. */
export type Variables = Readonly<Record<string, string>>;

function groupOf<T extends z.ZodRawShape, Value>(
  fields: T,
  secrets: readonly (keyof T & string)[],
  valueOf: (parsed: z.infer<z.ZodObject<T>>) => Value,
) {
  const schema = z.object(fields);
  return {
    /** Variables that the database has only sealed, and that no answer contains. */
    secrets: secrets as readonly string[],
    /** Selects the variables of the group that have a text. */
    pick: (texts: Readonly<Record<string, string | undefined>>): Variables =>
      Object.fromEntries(
        Object.keys(fields).flatMap((name) => {
          const text = texts[name];
          return text === undefined || text === '' ? [] : [[name, text]];
        }),
      ),
    /** @throws ConfigError naming the invalid variable */
    read: (texts: Variables): Value => valueOf(parseVariables(schema, texts)),
  };
}

/** Settings that the environment or the console defines; each group is validated as a whole. */
export const SETTING_GROUPS = {
  /** Mail server and sender; null when mail is off. Contains a password: never show it. */
  mail: groupOf(mailFields, ['SMTP_URL'], smtpOf),
  /** Pushes to search engines, and their meta tags. */
  search: groupOf(searchFields, ['BAIDU_PUSH_TOKEN'], searchOf),
  /** Automatic backups; null when they are off. Contains keys: never show them. */
  backup: groupOf(backupFields, ['BACKUP_PASSPHRASE', 'BACKUP_S3_SECRET_ACCESS_KEY'], backupOf),
};

export type SettingGroups = typeof SETTING_GROUPS;
export type SettingGroup = keyof SettingGroups;
/** Parsed settings of each group. */
export type OperatorValues = { [G in SettingGroup]: ReturnType<SettingGroups[G]['read']> };

/** Reads the environment: texts by variable, and the values of each group. @throws ConfigError */
export function readOperator(environment: NodeJS.ProcessEnv) {
  const { mail, search, backup } = SETTING_GROUPS;
  const given = {
    mail: mail.pick(environment),
    search: search.pick(environment),
    backup: backup.pick(environment),
  };
  return {
    given,
    mail: mail.read(given.mail),
    search: search.read(given.search),
    backup: backup.read(given.backup),
  };
}
