import { useState, type ReactNode } from 'react';
import { call } from '../../../lib/stores/api.ts';
import { LineField } from '../../ui/form/LineField.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { OptionsForm } from '../site/OptionsForm.tsx';

/** Facts of every group of settings (contract/calls/setting-calls.ts). */
interface Group {
  fixed: Readonly<Record<string, string>>;
  is_broken: boolean;
}

interface Proof {
  password: string;
  code: string;
}

/** Proofs that the viewer can give. */
export interface Safety {
  has_password: boolean;
  has_totp: boolean;
}

/** Properties of a field. It is disabled if an environment variable sets it. */
export interface SettingFrame {
  id: string;
  hint: string;
  problem: string;
  disabled: boolean;
}

interface SettingContext<V> {
  values: V;
  set(change: Partial<V>): void;
  frame(name: keyof V & string, hint?: string): SettingFrame;
}

interface Page<G extends Group, V extends object> {
  ask(): Promise<G>;
  valuesOf(group: G): V;
  /** Saves the changed values with the proof, and returns all as they are now. */
  save(fields: Filled<V> & { password: string; code?: string }): Promise<G>;
  fields(context: SettingContext<V>, group: G): ReactNode;
  /** Parts below the form. */
  more?(group: G, safety: Safety): ReactNode;
}

type Filled<V> = { [N in keyof V]?: Exclude<V[N], null> };

const NO_PROOF: Proof = { password: '', code: '' };

/**
 * Section of the settings with values that environment variables may define too. Each change needs the
 * viewer's password. Secrets are written here and never shown.
 */
export function settingsPage<G extends Group, V extends object>(label: string, page: Page<G, V>) {
  function Settings({ group: asked, safety }: { group: G; safety: Safety }) {
    const [group, setGroup] = useState(asked);
    const names = [...new Set(Object.values(group.fixed))];
    const valuesOf = (now: G) => ({ ...page.valuesOf(now), ...NO_PROOF });
    const save = async ({ password, code, ...changes }: Partial<V & Proof>) => {
      const proof = {
        // The schema requires a text, which the server ignores for accounts without a password.
        password: safety.has_password ? (password ?? '') : '-',
        ...(code && { code }),
      };
      // A secret that is to be removed is null.
      const fields = Object.entries(changes).map(([name, value]) => [name, value ?? '']);
      const now = await page.save({ ...(Object.fromEntries(fields) as Filled<V>), ...proof });
      setGroup(now);
      return valuesOf(now);
    };
    return (
      <div className="pb-16">
        {group.is_broken && (
          <p role="alert" className="mb-4 text-sm text-vermilion">
            以前保存的设置现在用不了，可能是网站的密钥换过。请重新填写并保存。
          </p>
        )}
        {names.length > 0 && (
          <p className="mb-4 text-sm text-soft wrap-anywhere">
            由环境变量 {names.join('、')} 设定的各项，要在服务器上修改。
          </p>
        )}
        <OptionsForm<V & Proof> label={label} stored={valuesOf(group)} save={save}>
          {({ values, set, frame }) => (
            <>
              {page.fields(
                {
                  values,
                  set: (change) => set(change as Partial<V & Proof>),
                  frame: (name, hint = '') => ({
                    ...frame(name),
                    hint,
                    disabled: group.fixed[name] !== undefined,
                  }),
                },
                group,
              )}
              {safety.has_password && (
                <LineField
                  {...frame('password')}
                  label="你自己的密码"
                  hint="修改这里的设置，每次都要确认是你本人。"
                  type="password"
                  autoComplete="current-password"
                  value={values.password}
                  onChange={(password) => set({ password } as Partial<V & Proof>)}
                />
              )}
              {safety.has_totp && (
                <LineField
                  {...frame('code')}
                  label="验证码"
                  hint="验证器应用里的 6 位数字，或一个恢复码。"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  value={values.code}
                  onChange={(code) => set({ code } as Partial<V & Proof>)}
                />
              )}
            </>
          )}
        </OptionsForm>
        {page.more?.(group, safety)}
      </div>
    );
  }
  return consoleAnswer(
    async () => {
      const [group, safety] = await Promise.all([page.ask(), call('safety', {}, { quiet: true })]);
      return { group, safety };
    },
    ({ group, safety }) => <Settings group={group} safety={safety} />,
  );
}
