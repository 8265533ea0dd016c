import { useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { CheckNote } from '../sign/CheckNote.tsx';
import { Field } from '../sign/Field.tsx';
import { SignEnd } from '../sign/SignEnd.tsx';
import { useHumanCheck } from '../sign/use-human-check.ts';
import { useFields } from '../ui/form/use-fields.ts';
import { island } from '../ui/island.tsx';

const FIELDS = [
  ['name', 'text', '网站名称', ''],
  ['url', 'url', '网址', ''],
  ['description', 'text', '一句话介绍（可不填）', ''],
  ['logo', 'url', '图标地址（可不填）', 'PNG、JPEG 或 WebP，会存一份到这里'],
  ['feed', 'url', '订阅地址（可不填）', 'RSS 或 Atom，新文章会出现在朋友圈'],
  ['email', 'email', '邮箱（可不填）', '有问题时联系你，不会公开'],
] as const;

/** Application of a visitor for a link to their site, with a proof of work. */
export default island(function FriendForm() {
  const human = useHumanCheck(true);
  const [thanks, setThanks] = useState('');
  const { form, errors, problem, isBusy, onSubmit } = useFields(
    'friendApply',
    {},
    async ({ name = '', url = '', ...fields }) => {
      try {
        const proof = await human.prove();
        setThanks(await call('friendApply', { name, url, ...fields, ...proof }, { quiet: true }));
      } finally {
        // The server accepts a proof once.
        human.forget();
      }
    },
    '没有发出去，请稍后再试',
  );
  if (thanks !== '')
    return <output className="block">{thanks}。站长看过以后，你的网站会出现在这一页。</output>;
  return (
    <form ref={form} method="post" className="max-w-100" noValidate aria-label="申请友链" onSubmit={onSubmit}>
      {FIELDS.map(([name, type, label, hint]) => (
        <Field key={name} {...{ name, type, label, hint }} autoCapitalize="none" error={errors[name]} />
      ))}
      <CheckNote state={human.state} />
      <SignEnd refusal={problem} isBusy={isBusy} action="申请" />
    </form>
  );
});
