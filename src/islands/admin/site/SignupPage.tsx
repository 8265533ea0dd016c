import { useState } from 'react';
import type { SiteOptions } from '../../../lib/contract/site-options.ts';
import { HUMAN_CHECK_NAMES, SIGNUP_MODE_NAMES } from '../../../lib/contract/rules/site-rules.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { AreaField } from '../../ui/form/LineField.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { consoleAnswer } from '../console-answer.tsx';
import { Invitations } from './Invitations.tsx';

export default consoleAnswer(
  () => call('siteOptions', {}, { quiet: true }),
  (options) => (
    <div className="pb-16">
      <Rules options={options} />
      <Invitations />
    </div>
  ),
);

function Rules({ options }: { options: SiteOptions }) {
  const [signup, setSignup] = useState(options.signup);
  const [humanCheck, setHumanCheck] = useState(options.humanCheck);
  const [names, setNames] = useState(options.reserved_names.join('\n'));
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    const reserved_names = names.split(/[\n,，、]/).map((name) => name.trim());
    await call('siteOptionsChange', { signup, humanCheck, reserved_names }, { quiet: true });
    showNotice('已保存');
  });
  return (
    <form method="post" aria-label="注册的规则" className="grid gap-4" onSubmit={onSubmit}>
      <Choice label="谁可以注册" value={signup} options={SIGNUP_MODE_NAMES} onChange={setSignup} />
      <Choice
        label="确认不是机器人"
        hint="访客的浏览器自己算一道题，不点图、不输字，也不经过别的网站；电脑上不到一秒，旧手机几秒。不支持 JavaScript 的旧客户端会被拒绝。"
        value={humanCheck}
        options={HUMAN_CHECK_NAMES}
        onChange={setHumanCheck}
      />
      <AreaField
        label="保留的用户名"
        hint="一行一个，这些名字和看起来像它们的都不能注册；站名和站长、官方、客服、admin 这样的字样本来就不能用在名字里。"
        rows={3}
        value={names}
        onChange={setNames}
      />
      <FormEnd problem={problem} isBusy={isBusy} />
    </form>
  );
}
