import { useStore } from '@nanostores/react';
import { mistrustRole } from '../../lib/stores/account/avatar.ts';
import { call } from '../../lib/stores/api.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { island } from '../ui/island.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { useSecret } from '../ui/use-browser.ts';
import { SIGNUP_MODE_NAMES, SITE_BOUNDS } from '../../lib/contract/rules/site-rules.ts';
import { Field, Framed } from './Field.tsx';
import { SignEnd } from './SignEnd.tsx';
import { NewAccountFields } from './NewAccountFields.tsx';
import { leaveFor, useSignForm } from './use-sign-form.ts';

const CONSOLE = '/admin/start';

interface Props {
  /** Facts of the site that nobody has set yet. */
  asks: { title: boolean; description: boolean };
}

/**
 * Form of /setup. Creates the site's first operator, as a new account with the first facts of the site, or from
 * the signed-in account.
 */
export default island(function Setup({ asks }: Props) {
  const key = useSecret();
  const username = useStore($session, { ssr: 'initial' })?.username;
  return username === undefined ? (
    <NewOperator urlKey={key} asks={asks} />
  ) : (
    <Claim urlKey={key} username={username} />
  );
});

function NewOperator({ urlKey, asks }: Props & { urlKey: string }) {
  const { handlers, errors, refusal, isBusy } = useSignForm('operatorSetup', CONSOLE);
  return (
    <form method="post" noValidate aria-label="设置网站" {...handlers}>
      <input type="hidden" name="key" value={urlKey} />
      <h2 className="section-title mb-3">站长的账号</h2>
      <NewAccountFields hint="这个账号也用来写文章" errors={errors} isBusy={isBusy} />
      <h2 className="section-title mt-2 mb-3">网站</h2>
      {asks.title && (
        <Field
          label="站名（可不填）"
          name="title"
          hint="以后随时可以改"
          maxLength={SITE_BOUNDS.title[1]}
          autoComplete="off"
          enterKeyHint="next"
          error={errors['title']}
        />
      )}
      {asks.description && (
        <Field
          label="一句话简介（可不填）"
          name="description"
          maxLength={SITE_BOUNDS.description[1]}
          autoComplete="off"
          enterKeyHint="next"
          error={errors['description']}
        />
      )}
      <Framed id="signup" label="谁可以注册">
        <select
          id="signup"
          name="signup"
          className="field"
          defaultValue="open"
          aria-describedby="signup-says"
        >
          {Object.entries(SIGNUP_MODE_NAMES).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </Framed>
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
    <form aria-label="设置网站" onSubmit={onSubmit}>
      <p className="mb-6">
        现在登录的是 <bdi className="font-600">{username}</bdi>，设置后就由这个账号管理网站。
      </p>
      <SignEnd refusal={problem} isBusy={isBusy} action="设为站长" />
    </form>
  );
}
