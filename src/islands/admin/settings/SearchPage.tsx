import type { SearchSettings } from '../../../lib/contract/calls/setting-calls.ts';
import { VERIFICATION_FIELDS, VERIFICATIONS } from '../../../lib/contract/rules/verifications.ts';
import { call } from '../../../lib/stores/api.ts';
import { Action } from '../../ui/Action.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { SecretField } from './SecretField.tsx';
import { settingsPage } from './settings-page.tsx';

const quiet = { quiet: true };

function valuesOf(settings: SearchSettings) {
  const { fixed: _, is_broken: _broken, has_baidu_token: _set, ...texts } = settings;
  return { ...texts, baidu_token: '' as string | null };
}

const newKey = () => crypto.randomUUID().replaceAll('-', '');

/** Pushes to search engines, and the tags by which they recognise the owner. */
export default settingsPage('搜索引擎', {
  ask: () => call('searchSettings', {}, quiet),
  valuesOf,
  save: (fields) => call('searchSettingsChange', fields, quiet),
  fields: ({ values, set, frame }, { has_baidu_token }) => (
    <>
      <SecretField
        {...frame(
          'baidu_token',
          '百度搜索资源平台「普通收录 → API 提交」里的 token。文章发布和修改后自动提交。',
        )}
        label="百度的推送密钥"
        isSet={has_baidu_token}
        value={values.baidu_token}
        onChange={(baidu_token) => set({ baidu_token })}
      />
      <div>
        <LineField
          {...frame(
            'indexnow_key',
            '必应、Yandex 等用它收新文章。8–128 个字母、数字和连字符，可以随便定一个。',
          )}
          label="IndexNow 的密钥"
          value={values.indexnow_key}
          onChange={(indexnow_key) => set({ indexnow_key })}
        />
        {values.indexnow_key === '' && !frame('indexnow_key').disabled && (
          <Action label="生成一个 IndexNow 的密钥" onClick={() => set({ indexnow_key: newKey() })}>
            生成一个
          </Action>
        )}
      </div>
      <fieldset className="grid gap-y-5 p-0 m-0 border-0">
        <legend className="p-0 mb-2 text-sm text-soft">
          验证网站是你的：在搜索引擎的站长平台选「HTML 标签」，把标签贴在这里，保存后回去点验证。
        </legend>
        {VERIFICATION_FIELDS.map((name) => (
          <LineField
            key={name}
            {...frame(name)}
            label={VERIFICATIONS[name].engine}
            placeholder={VERIFICATIONS[name].tag}
            value={values[name]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
      </fieldset>
    </>
  ),
});
