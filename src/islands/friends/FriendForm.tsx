import { useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { CheckNote } from '../sign/CheckNote.tsx';
import { Field, VERBATIM } from '../sign/Field.tsx';
import { SignEnd } from '../sign/SignEnd.tsx';
import { useHumanCheck } from '../sign/use-human-check.ts';
import { useFields } from '../ui/form/use-fields.ts';
import { island } from '../ui/island.tsx';

const ADDRESS = { type: 'url', inputMode: 'url', placeholder: 'https://', ...VERBATIM } as const;

/** Application of a visitor for a link to their site, with a proof of work. */
export default island(function FriendForm() {
  const human = useHumanCheck(true);
  const [thanks, setThanks] = useState('');
  const { form, errors, problem, isBusy, onSubmit } = useFields(
    'friendApply',
    {},
    async ({ name = '', url = '', ...fields }) => {
      try {
        setThanks(
          await call('friendApply', { name, url, ...fields, ...(await human.prove()) }, { quiet: true }),
        );
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
      <Field label="网站名称" name="name" dir="auto" required error={errors['name']} />
      <Field label="网址" name="url" {...ADDRESS} required error={errors['url']} />
      <Field label="一句话介绍（可不填）" name="description" dir="auto" error={errors['description']} />
      <Field
        label="图标地址（可不填）"
        name="logo"
        {...ADDRESS}
        hint="PNG、JPEG 或 WebP，会存一份到这里"
        error={errors['logo']}
      />
      <Field
        label="订阅地址（可不填）"
        name="feed"
        {...ADDRESS}
        hint="RSS 或 Atom，新文章会出现在朋友圈"
        error={errors['feed']}
      />
      <Field
        label="邮箱（可不填）"
        name="email"
        type="email"
        autoComplete="email"
        {...VERBATIM}
        hint="有问题时联系你，不会公开"
        error={errors['email']}
      />
      <CheckNote state={human.state} />
      <SignEnd refusal={problem} isBusy={isBusy} action="申请" />
    </form>
  );
});
