import { useId, useState, type SyntheticEvent } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import { checkFields, type FieldErrors } from '../../../lib/client/check.ts';
import type { IdentityAnswer } from '../../../lib/contract/site-identity.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { AccentField, LicenceField, TextField } from './SiteFields.tsx';
import { LinksField, NavField } from './SiteLists.tsx';

type SiteValues = Omit<IdentityAnswer, 'logo' | 'fixed'>;

const LINES = [
  ['title', '站名', ''],
  ['description', '简介', '搜索引擎和分享的卡片上显示。'],
  ['footer', '页脚文字', ''],
  ['beian', '备案号', '如 京ICP备00000000号，链接到工信部。'],
  ['police_beian', '公安备案号', '如 京公网安备11010502030143号。'],
] as const;

/** Form of the site's identity. Fields set outside the console are read-only and name their source. */
export function SiteForm({ identity, onSaved }: { identity: IdentityAnswer; onSaved(): void }) {
  const id = useId();
  const { logo: _, fixed, ...known } = identity;
  const [values, setValues] = useState<SiteValues>(known);
  const [problem, setProblem] = useState({ field: '', text: '' });
  const [isBusy, once] = useOnce();
  const set = (change: Partial<SiteValues>) => setValues({ ...values, ...change });
  const save = async () => {
    setProblem({ field: '', text: '' });
    const { links, nav, ...texts } = values;
    const fields = { ...texts, links: JSON.stringify(links), nav: JSON.stringify(nav) };
    const free = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in fixed)));
    // If the validation rules fail to load, the server validates.
    const errors: FieldErrors = await checkFields('siteIdentityChange', free).catch(() => ({}));
    const [wrong] = Object.entries(errors);
    if (wrong) {
      setProblem({ field: wrong[0], text: wrong[1] });
      document.getElementById(`${id}-${wrong[0]}`)?.focus();
      return;
    }
    try {
      await call('siteIdentityChange', free, { quiet: true });
      showNotice('已保存，马上生效');
      onSaved();
    } catch (error) {
      setProblem({ field: '', text: explain(error, '没能保存，请再试一次') });
    }
  };
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    void once(save);
  };
  const frame = (name: keyof SiteValues) => ({
    id: `${id}-${name}`,
    source: fixed[name],
    problem: problem.field === name ? problem.text : '',
  });
  return (
    <form method="post" aria-label="网站信息" className="grid gap-y-5" onSubmit={onSubmit}>
      {LINES.map(([name, label, hint]) => (
        <TextField
          key={name}
          {...frame(name)}
          label={label}
          hint={hint}
          value={values[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <LicenceField {...frame('licence')} value={values.licence} onChange={(licence) => set({ licence })} />
      <AccentField {...frame('accent')} value={values.accent} onChange={(accent) => set({ accent })} />
      <NavField {...frame('nav')} value={values.nav} onChange={(nav) => set({ nav })} />
      <LinksField {...frame('links')} value={values.links} onChange={(links) => set({ links })} />
      <FormEnd problem={problem.field === '' ? problem.text : ''} isBusy={isBusy} action="保存网站信息" />
    </form>
  );
}
