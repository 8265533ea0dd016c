import { useState, type ReactNode } from 'react';
import type { OperatorSettings } from '../../../lib/contract/calls/setting-calls.ts';
import {
  fieldsOf,
  type SettingGroup,
  type Variables,
} from '../../../lib/contract/rules/operator-settings.ts';
import { call } from '../../../lib/stores/api.ts';
import { LineField } from '../../ui/form/LineField.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { OptionsForm } from '../site/OptionsForm.tsx';
import { SettingInput } from './SettingInput.tsx';

/** Proofs that the viewer can give. */
export interface Safety {
  has_password: boolean;
  has_totp: boolean;
}

/** Texts by variable, and the proof. '' keeps a stored secret, null removes it. */
type Values = Readonly<Record<string, string | null>>;

interface Page {
  label: string;
  group: SettingGroup;
  /** Parts below the form. */
  more?(texts: Variables, safety: Safety): ReactNode;
}

const quiet = { quiet: true };

/**
 * Section of the settings with values that environment variables may define too. Each change needs the
 * viewer's password. Secrets are written here and never shown.
 */
export function settingsPage({ label, group, more }: Page) {
  const fields = fieldsOf(group);
  const valuesOf = ({ texts }: OperatorSettings): Values => ({
    ...Object.fromEntries(fields.map(([name]) => [name, texts[name] ?? ''])),
    password: '',
    code: '',
  });

  function Settings({ asked, safety }: { asked: OperatorSettings; safety: Safety }) {
    const [settings, setSettings] = useState(asked);
    const { fixed, version, is_broken } = settings;
    const sources = [...new Set(Object.values(fixed))];
    const save = async ({ password, code, ...changes }: Partial<Values>) => {
      const texts = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? '']));
      const proof = {
        // The schema requires a text, which the server ignores for accounts without a password.
        password: safety.has_password ? (password ?? '') : '-',
        ...(code && { code }),
      };
      const now = await call(
        'operatorSettingsChange',
        { group, version, texts: JSON.stringify(texts), ...proof },
        quiet,
      );
      setSettings(now);
      return valuesOf(now);
    };
    return (
      <div className="pb-16">
        {is_broken && (
          <p role="alert" className="mb-4 text-sm text-vermilion">
            以前保存的设置现在用不了，可能是网站的密钥换过。请重新填写并保存。
          </p>
        )}
        {sources.length > 0 && (
          <p className="mb-4 text-sm text-soft wrap-anywhere">
            由 {sources.join('、')} 设定的各项，要在服务器上修改。
          </p>
        )}
        <OptionsForm<Values> label={label} stored={valuesOf(settings)} save={save}>
          {({ values, set, frame }) => {
            // A stored secret counts as text.
            const texts: Record<string, string> = {};
            for (const name of settings.secrets) texts[name] = '*';
            for (const [name, value] of Object.entries(values)) texts[name] ||= value ?? '';
            return (
              <>
                {fields
                  .filter(([, { isUsed }]) => isUsed?.(texts) ?? true)
                  .map(([name, field]) => (
                    <SettingInput
                      key={name}
                      {...frame(name)}
                      field={field}
                      disabled={name in fixed}
                      isSet={settings.secrets.includes(name)}
                      stored={settings.texts[name] ?? ''}
                      value={values[name] ?? null}
                      onChange={(value) => set({ [name]: value })}
                    />
                  ))}
                {safety.has_password && (
                  <LineField
                    {...frame('password')}
                    label="你自己的密码"
                    hint="修改这里的设置，每次都要确认是你本人。"
                    type="password"
                    autoComplete="current-password"
                    value={values['password'] ?? ''}
                    onChange={(password) => set({ password })}
                  />
                )}
                {safety.has_totp && (
                  <LineField
                    {...frame('code')}
                    label="验证码"
                    hint="验证器应用里的 6 位数字，或一个恢复码。"
                    inputMode="numeric"
                    autoComplete="one-time-code"
                    value={values['code'] ?? ''}
                    onChange={(code) => set({ code })}
                  />
                )}
              </>
            );
          }}
        </OptionsForm>
        {more?.(settings.texts, safety)}
      </div>
    );
  }
  return consoleAnswer(
    async () => {
      const [asked, safety] = await Promise.all([
        call('operatorSettings', { group }, quiet),
        call('safety', {}, quiet),
      ]);
      return { asked, safety };
    },
    ({ asked, safety }) => <Settings {...{ asked, safety }} />,
  );
}
