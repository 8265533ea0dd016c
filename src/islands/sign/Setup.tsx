import { useStore } from '@nanostores/react';
import { mistrustRole } from '../../lib/stores/account/avatar.ts';
import { call } from '../../lib/stores/api.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { island } from '../ui/island.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { useSecret } from '../ui/use-browser.ts';
import { SignEnd } from './SignEnd.tsx';
import { NewAccountFields } from './NewAccountFields.tsx';
import { leaveFor, useSignForm } from './use-sign-form.ts';

const CONSOLE = '/admin/start';

/** Form of /setup. Creates the site's first operator, as a new account or from the signed-in one. */
export default island(function Setup() {
  const key = useSecret();
  const username = useStore($session, { ssr: 'initial' })?.username;
  return username === undefined ? <NewOperator urlKey={key} /> : <Claim urlKey={key} username={username} />;
});

function NewOperator({ urlKey }: { urlKey: string }) {
  const { handlers, errors, refusal, isBusy } = useSignForm('operatorSetup', CONSOLE);
  return (
    <form method="post" noValidate aria-label="设置站长" {...handlers}>
      <input type="hidden" name="key" value={urlKey} />
      <NewAccountFields hint="这个账号也用来写文章" errors={errors} isBusy={isBusy} />
      <SignEnd refusal={refusal || (errors['key'] ?? '')} isBusy={isBusy} action="设置" />
    </form>
  );
}

function Claim({ urlKey, username }: { urlKey: string; username: string }) {
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    await call('operatorClaim', { key: urlKey }, { quiet: true });
    mistrustRole(username);
    void leaveFor(CONSOLE);
  }, '出了点问题，请再试一次');
  return (
    <form aria-label="设置站长" onSubmit={onSubmit}>
      <p className="mb-6">
        现在登录的是 <bdi className="font-600">{username}</bdi>，设置后就由这个账号管理网站。
      </p>
      <SignEnd refusal={problem} isBusy={isBusy} action="设为站长" />
    </form>
  );
}
