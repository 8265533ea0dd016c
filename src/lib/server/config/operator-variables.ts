import { join } from 'node:path';
import { z } from 'zod';
import {
  byGroup,
  fieldsOf,
  type SettingGroup,
  type Variables,
} from '../../contract/rules/operator-settings.ts';
import { uploadFields, uploadsOf, type UploadPlace } from './upload-settings.ts';
import { backupFields, backupOf } from './backup-settings.ts';
import { readSso, ssoFields, ssoOf, withoutSecrets, withSecrets } from './sso-settings.ts';
import { mailFields, parseVariables, searchFields, searchOf, smtpOf, smtpParts } from './config-fields.ts';

const asIs = (texts: Variables): Variables => texts;

interface Views {
  /** Returns the variables by the fields of the console. */
  shown(texts: Variables): Variables;
  /** Returns them as an answer may contain them. */
  redact(texts: Variables): Variables;
  /** Returns changes with what the console was not told. Refuses with FIELD_INVALID. */
  complete(before: Variables, changes: Variables): Variables;
}

function groupOf<T extends z.ZodRawShape, Value>(
  group: SettingGroup,
  fields: T,
  valueOf: (parsed: z.infer<z.ZodObject<T>>) => Value,
  { shown = asIs, redact = asIs, complete = (_, changes) => changes }: Partial<Views> = {},
) {
  const schema = z.object(fields);
  const secrets = fieldsOf(group).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
  const open = fieldsOf(group).flatMap(([name, { isSecret, isProviders }]) =>
    isSecret || isProviders ? [] : [name],
  );
  const read = (texts: Variables): Value => valueOf(parseVariables(schema, texts));
  return {
    /** Whether the database has the variable only sealed. */
    isSealed: (name: string) => !open.includes(name),
    /** Selects the variables of the group that have a text. */
    pick: (texts: Readonly<Record<string, string | undefined>>): Variables =>
      Object.fromEntries(
        Object.keys(fields).flatMap((name) => {
          const text = texts[name];
          return text === undefined || text === '' ? [] : [[name, text]];
        }),
      ),
    shown,
    redact: (texts: Variables): Variables =>
      redact(Object.fromEntries(Object.entries(texts).filter(([name]) => !secrets.includes(name)))),
    complete,
    /** @throws ConfigError naming the invalid variable */
    read,
  };
}

/**
 * Settings that the environment or the console defines; each group is validated as a whole. `given` are the
 * variables of the environment.
 */
const groupsOf = (given: { uploads: Variables }, dataDir: string) => ({
  /** Mail server and sender; null when mail is off. Contains a password: never show it. */
  mail: groupOf('mail', mailFields, smtpOf, { shown: smtpParts }),
  /** Pushes to search engines, and their meta tags. */
  search: groupOf('search', searchFields, searchOf),
  /** Identity providers. Contains their secrets: never show it. */
  sso: groupOf('sso', ssoFields, (env) => ssoOf(null, env), {
    redact: ({ SSO_JSON, ...texts }) => ({
      ...texts,
      ...(SSO_JSON && { SSO_JSON: withoutSecrets(SSO_JSON) }),
    }),
    complete: ({ SSO_JSON: before = '' }, { SSO_JSON: typed, ...changes }) => ({
      ...changes,
      ...(typed && { SSO_JSON: withSecrets(before, typed) }),
    }),
  }),
  /** Automatic backups; null when they are off. Contains keys: never show them. */
  backup: groupOf('backup', backupFields, backupOf),
  /** Storage of uploaded pictures. Contains keys: never show it. */
  uploads: groupOf(
    'uploads',
    uploadFields,
    (env): UploadPlace => {
      const place = uploadsOf(env, dataDir);
      const isOfConsole = 's3' in place && given.uploads['S3_BUCKET'] === undefined;
      return isOfConsole ? { ...place, former: join(dataDir, 'uploads') } : place;
    },
    {
      // A folder of the environment leaves no choice.
      shown: (texts) => ({
        ...(texts['UPLOADS_DIR'] && Object.fromEntries(fieldsOf('uploads').map(([name]) => [name, '']))),
        ...texts,
      }),
    },
  ),
});

export type SettingGroups = ReturnType<typeof groupsOf>;
/** Parsed settings of each group. */
export type OperatorValues = { [G in SettingGroup]: ReturnType<SettingGroups[G]['read']> };
type Given = Readonly<Record<SettingGroup, Variables>>;

/**
 * Reads the environment, and `sso.json` in `dataDir`: texts by variable, the files that set some of them, and
 * the values of each group.
 * @throws ConfigError
 */
export function readOperator(environment: NodeJS.ProcessEnv, dataDir: string) {
  const uploads: Record<string, string> = {};
  const groups = groupsOf({ uploads }, dataDir);
  const given = byGroup<Given>((group) => groups[group].pick(environment));
  Object.assign(uploads, given.uploads);
  const { source, value } = readSso(dataDir, given.sso);
  const sso = value.providers ? { ...given.sso, SSO_JSON: JSON.stringify(value) } : given.sso;
  const all = { ...given, sso };
  return {
    groups,
    given: all,
    sources: { SSO_JSON: source } as Variables,
    ...byGroup<OperatorValues>((group) => groups[group].read(all[group])),
  };
}
