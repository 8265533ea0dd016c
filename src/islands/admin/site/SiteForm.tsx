import { useId, useState } from 'react';
import type { IdentityAnswer } from '../../../lib/contract/calls/site-calls.ts';
import { LICENCES } from '../../../lib/contract/rules/licences.ts';
import { SITE_BOUNDS } from '../../../lib/contract/rules/site-rules.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { fieldErrors, useSubmit } from '../../ui/form/use-submit.ts';
import { AccentField, type SiteFrame } from './AccentField.tsx';
import { SealField } from './SealField.tsx';
import { LinksField, NavField } from './SiteLists.tsx';

type SiteValues = Omit<IdentityAnswer, 'logo' | 'fixed'>;

const LINES = [
  ['title', '站名', ''],
  ['description', '简介', '搜索引擎和分享的卡片上显示。'],
  ['footer', '页脚文字', ''],
  ['beian', '备案号', '如 京ICP备00000000号，链接到工信部。'],
  ['police_beian', '公安备案号', '如 京公网安备11010502030143号。'],
] as const;

const LICENCE_NAMES = Object.fromEntries(Object.entries(LICENCES).map(([key, { name }]) => [key, name]));

/** Form of the site's identity. Fields set outside the console are disabled and name their source. */
export function SiteForm({ identity, onSaved }: { identity: IdentityAnswer; onSaved(): void }) {
  const id = useId();
  const { logo: _, fixed, ...known } = identity;
  const [values, setValues] = useState<SiteValues>(known);
  const [wrong, setWrong] = useState({ field: '', text: '' });
  const set = (change: Partial<SiteValues>) => setValues({ ...values, ...change });
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    const { links, nav, ...texts } = values;
    const fields = { ...texts, links: JSON.stringify(links), nav: JSON.stringify(nav) };
    const free = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in fixed)));
    const [field = '', text = ''] = Object.entries(await fieldErrors('siteIdentityChange', free))[0] ?? [];
    setWrong({ field, text });
    if (field !== '') return document.getElementById(`${id}-${field}`)?.focus();
    await call('siteIdentityChange', free, { quiet: true });
    showNotice('已保存，马上生效');
    onSaved();
  });
  const frame = (name: keyof SiteValues, hint: string): SiteFrame => ({
    id: `${id}-${name}`,
    hint: fixed[name] === undefined ? hint : `由 ${fixed[name]} 设定，要在那里修改。`,
    problem: wrong.field === name ? wrong.text : '',
    disabled: fixed[name] !== undefined,
  });
  return (
    <form method="post" aria-label="网站信息" className="grid gap-y-5" onSubmit={onSubmit}>
      {LINES.map(([name, label, hint]) => (
        <LineField
          key={name}
          {...frame(name, hint)}
          label={label}
          dir="auto"
          value={values[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Choice
        {...frame('licence', '作者没有另选的文章用它。')}
        label="默认的许可协议"
        value={values.licence}
        options={{ '': '不写明', ...LICENCE_NAMES }}
        onChange={(licence) => set({ licence })}
      />
      <AccentField
        {...frame('accent', '链接和按钮的颜色。深浅会自动调整，保证在两种主题下都看得清。')}
        value={values.accent}
        onChange={(accent) => set({ accent })}
      />
      <SealField
        {...frame('seal', '印在每篇文章的末尾和分享的卡片上。')}
        value={values.seal}
        onChange={(seal) => set({ seal })}
      />
      <NavField
        {...frame('nav', `名称最多 ${SITE_BOUNDS.label[1]} 个字。`)}
        value={values.nav}
        onChange={(nav) => set({ nav })}
      />
      <LinksField
        {...frame('links', `最多 ${SITE_BOUNDS.links} 个。`)}
        value={values.links}
        onChange={(links) => set({ links })}
      />
      <FormEnd problem={problem} isBusy={isBusy} action="保存网站信息" />
    </form>
  );
}
