import type { SettingGroup, Variables } from '../../src/lib/contract/rules/operator-settings.ts';
import type { App } from '../../src/lib/server/app.ts';
import { FROM, openStaffStage, PASSWORD } from './staff-stage.ts';

/** A stage with an operator who uses the settings of the console. */
export async function openSettingsStage(environment: Record<string, string> = {}) {
  const stage = await openStaffStage(environment);
  const operator = await stage.signUp('舵手');
  await stage.app.services.roles.set('舵手', 'operator', null);
  const by = { viewer: operator.viewer, from: FROM };
  const settings = (group: SettingGroup, app = stage.app) => app.services.settingsConsole.read(group);
  return {
    ...stage,
    operator,
    by,
    settings,
    /** Changes a group as an operator who has just opened its page. */
    async change(
      group: SettingGroup,
      texts: Variables,
      { app = stage.app, password = PASSWORD }: { app?: App; password?: string } = {},
    ) {
      const { version } = await settings(group, app);
      return app.services.settingsConsole.change({ group, version, texts, password }, by);
    },
    audited: async () =>
      (await stage.rows(`select action, before, after from audit_log order by create_time, id`)).filter(
        ({ action }) => String(action).endsWith('.change'),
      ),
  };
}

export type SettingsStage = Awaited<ReturnType<typeof openSettingsStage>>;
