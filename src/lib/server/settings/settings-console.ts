import type { OperatorChange, OperatorSettings } from '../../contract/calls/setting-calls.ts';
import { textField } from '../../contract/fields.ts';
import { SECRET_CHANGED, type AuditFacts } from '../../contract/rules/audit.ts';
import { refuse } from '../../contract/rules/errors.ts';
import {
  fieldsOf,
  formOf,
  type SettingField,
  type SettingGroup,
  type Variables,
} from '../../contract/rules/operator-settings.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Place } from '../auth/guard/known-places.ts';
import type { CurrentUploads } from '../files/current-uploads.ts';
import type { Uses } from '../services.ts';
import type { Held } from './operator-settings.ts';

export type SettingsConsole = ReturnType<typeof createSettingsConsole>;

const MAX_TEXT_CHARACTERS = 500;
const CHANGED = '这些设置刚在别处改过，没有保存这次的修改。请刷新页面，看过现在的设置再改。';

/** Returns a text as it is stored. Refuses with FIELD_INVALID. */
function accept(
  name: string,
  { title, max = MAX_TEXT_CHARACTERS, clean, fits, says = '' }: SettingField,
  typed: string,
): string {
  const parsed = textField(title, [0, max]).safeParse(typed);
  if (!parsed.success)
    return refuse('FIELD_INVALID', { field: name, text: parsed.error.issues[0]?.message ?? '' });
  const text = clean ? clean(parsed.data) : parsed.data;
  return text === '' || !fits || fits(text) ? text : refuse('FIELD_INVALID', { field: name, text: says });
}

/** Returns the variables of a group after changes. Refuses with FIELD_INVALID if it would be incomplete. */
function merge(group: SettingGroup, before: Variables, changes: Variables): Variables {
  const { fields, on } = formOf(group);
  const after: Record<string, string> = { ...before, ...changes };
  const isMoved = (name: string) => (before[name] ?? '') !== (after[name] ?? '');
  const moved = Object.entries(fields).filter(
    ([name, { boundTo }]) => boundTo?.some(isMoved) && before[name] && changes[name] === undefined,
  );
  // A stored secret is sent only to the place that it was entered for.
  for (const [name] of moved) after[name] = '';
  if (on !== null && !after[on]) return after;
  for (const [name, { title, boundTo = [], isNeeded }] of Object.entries(fields)) {
    if (after[name] || !isNeeded?.(after)) continue;
    const others = boundTo.map((each) => fields[each]?.title).join('或');
    const text = moved.some(([each]) => each === name)
      ? `换了${others}，请重新填写${title}`
      : `请填写${title}`;
    refuse('FIELD_INVALID', { field: name, text });
  }
  return after;
}

/** The operator's changes of settings that the environment may define too; each needs the password. */
export function createSettingsConsole({
  db,
  audit,
  auth,
  backups,
  operatorSettings,
  sso,
  places,
}: Uses<'auth' | 'backups' | 'operatorSettings' | 'sso'> & { places: CurrentUploads }) {
  const { groups } = operatorSettings;

  async function read(group: SettingGroup): Promise<OperatorSettings> {
    const { texts, isBroken, version } = (await operatorSettings.held())[group];
    const fields = fieldsOf(group);
    const shown = groups[group].redact(texts);
    const open = fields.filter(([, { isSecret }]) => !isSecret);
    return {
      texts: Object.fromEntries(open.map(([name, { initial = '' }]) => [name, shown[name] || initial])),
      secrets: fields.flatMap(([name, { isSecret }]) => (isSecret && texts[name] ? [name] : [])),
      fixed: operatorSettings.fixed[group],
      version,
      is_broken: isBroken,
    };
  }

  function acceptAll(group: SettingGroup, texts: Variables): Variables {
    const fields = new Map(fieldsOf(group));
    const accepted = Object.entries(texts).map(([name, text]) => {
      const field = fields.get(name) ?? refuse('FIELD_INVALID', { text: `没有 ${name} 这一项` });
      const source = operatorSettings.fixed[group][name];
      if (source !== undefined)
        refuse('FIELD_FIXED', { field: name, text: `这一项由 ${source} 设定，要在那里修改` });
      return [name, accept(name, field, text)];
    });
    return Object.fromEntries(accepted) as Variables;
  }

  /** Refuses what is valid but does not work, with FIELD_INVALID at its field. */
  const trials: { [G in SettingGroup]?: (texts: Variables, viewer: Viewer) => Promise<void> } = {
    async backup(texts) {
      const value = operatorSettings.valueOf('backup', texts);
      const problem = value && (await backups.tryPlace(value.to));
      if (problem) refuse('FIELD_INVALID', { field: 'BACKUP_TO', text: `写不进去：${problem}` });
    },
    async uploads(texts) {
      const problem = await places.tryPlace(operatorSettings.valueOf('uploads', texts), db.read);
      if (problem !== null) refuse('FIELD_INVALID', { field: 'S3_BUCKET', text: `不能存在那里：${problem}` });
    },
    async sso(texts, viewer) {
      const ways = operatorSettings.valueOf('sso', texts);
      if (ways.isOnly) await sso.requireWayIn(ways, viewer.id);
    },
  };

  return {
    read,
    /**
     * Changes texts of a group; returns it as it is now. Refuses with FIELD_FIXED, FIELD_INVALID, with
     * VERSION_CHANGED if a colleague was faster, and as a proof that is wrong.
     */
    async change(
      { group, version, texts, password, code }: OperatorChange,
      { viewer, from }: { viewer: Viewer; from: Place },
    ): Promise<OperatorSettings> {
      const changes = acceptAll(group, texts);
      const mergeInto = (held: Held) =>
        held.version === version
          ? merge(group, held.texts, groups[group].complete(held.texts, changes))
          : refuse('VERSION_CHANGED', { text: CHANGED });
      // Before the proof, because a code can be used only once.
      const wantedNow = mergeInto((await operatorSettings.held())[group]);
      operatorSettings.valueOf(group, wantedNow);
      await auth.confirmChange(viewer, { password, code }, from);
      await trials[group]?.(wantedNow, viewer);
      await db.write(async (trx) => {
        const held = (await operatorSettings.held(trx))[group];
        const wanted = mergeInto(held);
        const changed = fieldsOf(group).filter(([name]) => (held.texts[name] ?? '') !== (wanted[name] ?? ''));
        if (!held.isBroken && changed.length === 0) return;
        await operatorSettings.store(trx, group, wanted);
        const [before, after] = [held.texts, wanted].map(groups[group].redact) as [Variables, Variables];
        const facts = changed.map(([name, { isSecret }]): [string, string, string] => {
          const [former = '', now = ''] = [before[name], after[name]];
          return [name, former, isSecret || former === now ? SECRET_CHANGED : now];
        });
        await audit.write(trx, {
          actorId: viewer.id,
          action: `${group}.change`,
          subject: { kind: 'site', id: '' },
          before: Object.fromEntries(facts.map(([name, former]) => [name, former])) as AuditFacts,
          after: Object.fromEntries(facts.map(([name, , now]) => [name, now])) as AuditFacts,
        });
      });
      return read(group);
    },
  };
}
