import { useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { forgetSignIn } from '../../lib/stores/account/session.ts';
import { SettingsForm } from '../settings/SettingsForm.tsx';
import { island } from '../ui/island.tsx';
import { useSecret } from '../ui/use-browser.ts';

/** /closing: stops the closing of an account, or carries it out. Mail scanners open links too, so it asks. */
export default island(function Closing() {
  const token = useSecret();
  const [done, setDone] = useState<'stop' | 'now' | null>(null);
  const decide = (action: 'stop' | 'now') => async () => {
    await call('accountCloseDecide', { token, action }, { quiet: true });
    if (action === 'now') forgetSignIn();
    setDone(action);
  };
  if (done === 'now')
    return (
      <output className="block" data-done>
        账号已删除，所有设备都已退出登录。
      </output>
    );
  if (done === 'stop')
    return (
      <output className="block" data-done>
        账号留着，不会删除了。如果不是你要删除的，请马上
        <a href="/user/settings">修改密码</a>。
      </output>
    );
  return (
    <>
      <SettingsForm
        label="留着账号"
        action="不删除，留着账号"
        call="accountCloseDecide"
        fixed={{ token, action: 'stop' }}
        send={decide('stop')}
      >
        {() => <p className="mb-4">有人要删除你的账号。不是你做的，或者改了主意，就留着它。</p>}
      </SettingsForm>
      <SettingsForm
        label="马上删除"
        action="现在就删除账号"
        isDangerous
        call="accountCloseDecide"
        fixed={{ token, action: 'now' }}
        send={decide('now')}
      >
        {() => <p className="mt-8 mb-4 text-sm text-soft">不想等到那一天，可以现在就删除，不能恢复。</p>}
      </SettingsForm>
    </>
  );
});
