import { isDeepStrictEqual } from 'node:util';
import type {
  BackupParts,
  BackupSettings,
  MailParts,
  MailSettings,
  SearchParts,
  SearchSettings,
} from '../../contract/calls/setting-calls.ts';
import { VERIFICATION_FIELDS, VERIFICATIONS } from '../../contract/rules/verifications.ts';
import { SECRET_CHANGED, type AuditAction, type AuditFacts } from '../../contract/rules/audit.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Proof, Viewer } from '../auth/auth-service.ts';
import type { Place } from '../auth/guard/known-places.ts';
import type { SettingGroup, Variables } from '../config/operator-variables.ts';
import type { Uses } from '../services.ts';
import { changeMail, shownMail } from './mail-parts.ts';

export type SettingsConsole = ReturnType<typeof createSettingsConsole>;

/** Input of a call: omitted fields may also be undefined. */
type Loose<T> = { [N in keyof T]?: T[N] | undefined };

const factsOf = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries) as AuditFacts;

/** Fields of the console over a group of variables. */
interface Form<Shown extends object, Parts extends object> {
  group: SettingGroup;
  action: AuditAction;
  /** Variable of each field. */
  variables: Readonly<Record<keyof Parts & string, string>>;
  /** Fields of secrets, which are never shown. */
  secrets: readonly (keyof Parts & string)[];
  shown(texts: Variables): Shown;
  /** May refuse with FIELD_INVALID. */
  change(texts: Variables, changes: Partial<Parts>): Variables;
}

const MAIL: Form<Own<MailSettings>, MailParts> = {
  group: 'mail',
  action: 'mail.change',
  variables: {
    server: 'SMTP_URL',
    port: 'SMTP_URL',
    encryption: 'SMTP_URL',
    account: 'SMTP_URL',
    secret: 'SMTP_URL',
    sender: 'SMTP_FROM',
  },
  secrets: ['secret'],
  shown: shownMail,
  change: changeMail,
};

type Own<T> = Omit<T, 'fixed' | 'is_broken' | 'is_on'>;

/** Returns the parts of a form whose fields are texts of one variable each; an empty text unsets it. */
const byVariable = <P extends object>(variables: Record<keyof P & string, string>) => ({
  variables,
  textOf: (texts: Variables, field: keyof P & string): string => texts[variables[field]] ?? '',
  change: (texts: Variables, changes: Partial<P>): Record<string, string> => {
    const changed = Object.entries<unknown>(changes).map(([field, value]) => [
      variables[field as keyof P & string],
      String(value),
    ]);
    const all = Object.entries<string>({ ...texts, ...(Object.fromEntries(changed) as Variables) });
    return Object.fromEntries(all.filter(([, text]) => text !== ''));
  },
});

const searchTexts = byVariable<SearchParts>({
  baidu_token: 'BAIDU_PUSH_TOKEN',
  indexnow_key: 'INDEXNOW_KEY',
  ...(Object.fromEntries(VERIFICATION_FIELDS.map((name) => [name, VERIFICATIONS[name].variable])) as Record<
    (typeof VERIFICATION_FIELDS)[number],
    string
  >),
});

const SEARCH: Form<Own<SearchSettings>, SearchParts> = {
  ...searchTexts,
  group: 'search',
  action: 'search.change',
  secrets: ['baidu_token'],
  shown: (texts) => {
    const shown = (['indexnow_key', ...VERIFICATION_FIELDS] as const).map((name) => [
      name,
      searchTexts.textOf(texts, name),
    ]);
    return {
      ...(Object.fromEntries(shown) as Omit<SearchParts, 'baidu_token'>),
      has_baidu_token: searchTexts.textOf(texts, 'baidu_token') !== '',
    };
  },
};

const backupTexts = byVariable<BackupParts>({
  every: 'BACKUP_EVERY',
  keep: 'BACKUP_KEEP',
  to: 'BACKUP_TO',
  s3_endpoint: 'BACKUP_S3_ENDPOINT',
  s3_region: 'BACKUP_S3_REGION',
  s3_key_id: 'BACKUP_S3_ACCESS_KEY_ID',
  s3_path_style: 'BACKUP_S3_PATH_STYLE',
  passphrase: 'BACKUP_PASSPHRASE',
  s3_secret: 'BACKUP_S3_SECRET_ACCESS_KEY',
});

const BACKUP: Form<Own<BackupSettings>, BackupParts> = {
  ...backupTexts,
  group: 'backup',
  action: 'backup.change',
  secrets: ['passphrase', 's3_secret'],
  shown(texts) {
    const of = (field: keyof BackupParts) => backupTexts.textOf(texts, field);
    return {
      every: of('every'),
      keep: Number(of('keep')) || DEFAULT_KEEP,
      to: of('to'),
      s3_endpoint: of('s3_endpoint'),
      s3_region: of('s3_region'),
      s3_key_id: of('s3_key_id'),
      s3_path_style: of('s3_path_style') as BackupParts['s3_path_style'],
      has_passphrase: of('passphrase') !== '',
      has_s3_secret: of('s3_secret') !== '',
    };
  },
  change(texts, changes) {
    const next = backupTexts.change(texts, changes);
    const of = (field: keyof BackupParts) => backupTexts.textOf(next, field);
    const isMoved = changes.s3_endpoint !== undefined || changes.s3_key_id !== undefined;
    // A stored key is sent only to the storage that it was entered for.
    if (isMoved && !isDeepStrictEqual(next, texts) && !changes.s3_secret)
      delete next['BACKUP_S3_SECRET_ACCESS_KEY'];
    // Backups are on with an interval and a place; a place alone is kept out of effect.
    if (of('every') === '') delete next['BACKUP_TO'];
    else if (of('to') === '') refuse('FIELD_INVALID', { field: 'to', text: '请填写存到哪里' });
    else if (of('to').startsWith('s3://'))
      for (const [field, label] of [
        ['s3_key_id', 'S3 的密钥编号'],
        ['s3_secret', 'S3 的密钥'],
        [of('s3_endpoint') === '' ? 's3_region' : 's3_endpoint', 'S3 的区域，或者地址'],
      ] as const)
        if (of(field) === '') refuse('FIELD_INVALID', { field, text: `请填写${label}` });
    return next;
  },
};
const DEFAULT_KEEP = 7;

/** The operator's changes of settings that the environment may define too; each needs the password. */
export function createSettingsConsole({
  db,
  audit,
  auth,
  backups,
  operatorSettings,
}: Uses<'auth' | 'backups' | 'operatorSettings'>) {
  const { given } = operatorSettings;

  function fixedIn<P extends object>({ group, variables }: Form<object, P>) {
    const fields = Object.entries<string>(variables).filter(([, name]) => given[group][name] !== undefined);
    return Object.fromEntries(fields) as Partial<Record<keyof P & string, string>>;
  }

  async function answer<S extends object, P extends object>(form: Form<S, P>) {
    const { texts, isBroken } = (await operatorSettings.held())[form.group];
    return { ...form.shown(texts), fixed: fixedIn(form), is_broken: isBroken };
  }

  async function change<S extends object, P extends object>(
    form: Form<S, P>,
    { password, code, ...fields }: Proof & Loose<P>,
    { viewer, from }: { viewer: Viewer; from: Place },
  ): Promise<void> {
    const wished = Object.entries(fields).filter(([, value]) => value !== undefined);
    const changes = Object.fromEntries(wished) as Partial<P>;
    const fixed = fixedIn(form);
    for (const field of Object.keys(changes) as (keyof P & string)[]) {
      const name = fixed[field];
      if (name !== undefined)
        refuse('FIELD_FIXED', { field, text: `这一项由环境变量 ${name} 设定，要在那里修改` });
    }
    // Before the proof, because a code can be used only once.
    const wantedNow = form.change((await operatorSettings.held())[form.group].texts, changes);
    operatorSettings.valueOf(form.group, wantedNow);
    await auth.confirmChange(viewer, { password, code }, from);
    if (form.group === 'backup') await requireDestination(wantedNow);
    await db.write(async (trx) => {
      const { texts, isBroken } = (await operatorSettings.held(trx))[form.group];
      const wanted = form.change(texts, changes);
      if (!isBroken && isDeepStrictEqual(wanted, texts)) return;
      await operatorSettings.store(trx, form.group, wanted);
      const [before, after] = [form.shown(texts), form.shown(wanted)].map((shown) =>
        Object.entries(shown).filter(([name]) => name in form.variables),
      ) as [[string, unknown][], [string, unknown][]];
      const changed = after.filter(([, value], index) => !isDeepStrictEqual(value, before[index]?.[1]));
      const former = Object.fromEntries(before);
      const secrets = form.secrets.filter((name) => changes[name] !== undefined);
      await audit.write(trx, {
        actorId: viewer.id,
        action: form.action,
        subject: { kind: 'site', id: '' },
        before: factsOf(changed.map(([name]) => [name, former[name]])),
        after: factsOf([...changed, ...secrets.map((name) => [name, SECRET_CHANGED] as const)]),
      });
    });
  }

  /** Refuses a destination that cannot be written to, with FIELD_INVALID at `to`. */
  async function requireDestination(texts: Variables): Promise<void> {
    const value = operatorSettings.valueOf('backup', texts);
    const problem = value && (await backups.tryPlace(value.to));
    if (problem) refuse('FIELD_INVALID', { field: 'to', text: `写不进去：${problem}` });
  }

  async function mail(): Promise<MailSettings> {
    const is_on = (await operatorSettings.current('mail').read()) !== null;
    return { ...(await answer(MAIL)), is_on };
  }

  return {
    mail,
    /** Refuses with FIELD_FIXED, FIELD_INVALID, and as a proof that is wrong. */
    async changeMail(
      changes: Proof & Loose<MailParts>,
      by: { viewer: Viewer; from: Place },
    ): Promise<MailSettings> {
      await change(MAIL, changes, by);
      return mail();
    },
    search: (): Promise<SearchSettings> => answer(SEARCH),
    /** Refuses as `changeMail`. */
    async changeSearch(
      changes: Proof & Loose<SearchParts>,
      by: { viewer: Viewer; from: Place },
    ): Promise<SearchSettings> {
      await change(SEARCH, changes, by);
      return answer(SEARCH);
    },
    backup: (): Promise<BackupSettings> => answer(BACKUP),
    /** Refuses as `changeMail`. */
    async changeBackup(
      changes: Proof & Loose<BackupParts>,
      by: { viewer: Viewer; from: Place },
    ): Promise<BackupSettings> {
      await change(BACKUP, changes, by);
      return answer(BACKUP);
    },
  };
}
