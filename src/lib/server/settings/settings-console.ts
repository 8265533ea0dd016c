import { isDeepStrictEqual } from 'node:util';
import type {
  MailParts,
  MailSettings,
  SearchParts,
  SearchSettings,
} from '../../contract/calls/setting-calls.ts';
import { VERIFICATION_FIELDS } from '../../contract/rules/verifications.ts';
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
  change: (texts: Variables, changes: Partial<P>): Variables => {
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
  ...(Object.fromEntries(VERIFICATION_FIELDS.map((name) => [name, name.toUpperCase()])) as Record<
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

/** The operator's changes of settings that the environment may define too; each needs the password. */
export function createSettingsConsole({
  db,
  audit,
  auth,
  operatorSettings,
}: Uses<'auth' | 'operatorSettings'>) {
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
    operatorSettings.validate(
      form.group,
      form.change((await operatorSettings.held())[form.group].texts, changes),
    );
    await auth.confirmChange(viewer, { password, code }, from);
    await db.write(async (trx) => {
      const { texts } = (await operatorSettings.held(trx))[form.group];
      const wanted = form.change(texts, changes);
      if (isDeepStrictEqual(wanted, texts)) return;
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
        before: Object.fromEntries(changed.map(([name]) => [name, former[name]])) as AuditFacts,
        after: {
          ...Object.fromEntries(changed),
          ...Object.fromEntries(secrets.map((name) => [name, SECRET_CHANGED])),
        } as AuditFacts,
      });
    });
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
  };
}
