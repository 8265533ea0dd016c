import { useStore } from '@nanostores/react';
import { useId, useState } from 'react';
import { mistrustRole } from '../../lib/stores/account/avatar.ts';
import { call } from '../../lib/stores/api.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { island } from '../ui/island.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { useSecret } from '../ui/use-browser.ts';
import { DEFAULT_LOOK, LIST_NAMES, SHIPPED_LOOKS } from '../../lib/contract/rules/looks.ts';
import { SIGNUP_MODE_NAMES, SITE_BOUNDS } from '../../lib/contract/rules/site-rules.ts';
import { Swatches } from '../ui/form/Swatches.tsx';
import { Field, Framed } from './Field.tsx';
import { SignEnd } from './SignEnd.tsx';
import { NewAccountFields } from './NewAccountFields.tsx';
import { leaveFor, useSignForm } from './use-sign-form.ts';
import { useSignupMode } from './use-signup-mode.ts';

const CONSOLE = '/admin/start';
const DEFAULT_MODE = 'open';

interface Props {
  /** Whether each fact of the site still has its default. */
  asks: { title: boolean; description: boolean; look: boolean };
}

/**
 * Form of /setup. Creates the site's first operator, as a new account with the first facts of the site, or
 * from the signed-in account.
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
          hint="不填就叫墨页，以后随时可以改"
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
          hint="搜索引擎和分享的卡片上显示"
          maxLength={SITE_BOUNDS.description[1]}
          autoComplete="off"
          enterKeyHint="next"
          error={errors['description']}
        />
      )}
      {asks.look && <LookField />}
      <SignupField />
      <SignEnd refusal={refusal || (errors['key'] ?? '')} isBusy={isBusy} action="设置" />
    </form>
  );
}

function LookField() {
  return (
    <fieldset className="m-0 p-0 pb-4 border-0">
      <legend className="mb-1.5 p-0 text-sm font-600">外观</legend>
      {SHIPPED_LOOKS.map((look) => (
        <label key={look.name} className="flex items-center gap-3 min-h-11 cursor-pointer">
          <input
            type="radio"
            className="w-4 h-4"
            name="look"
            value={look.name}
            defaultChecked={look === DEFAULT_LOOK}
          />
          <Swatches {...look} />
          {look.name}
          <span className="text-sm text-soft">{LIST_NAMES[look.list]}</span>
        </label>
      ))}
      <p className="mt-1 text-sm text-soft">以后在「外观」里可以改颜色、字体和排版</p>
    </fieldset>
  );
}

/** Who may sign up: the present mode until another one is chosen, and nothing is sent while it is unknown. */
function SignupField() {
  const id = useId();
  const present = useSignupMode()?.mode;
  const [chosen, setChosen] = useState<string>();
  const value = chosen ?? present;
  return (
    <Framed id={id} label="谁可以注册" hint="以后在「设置 → 注册」里改">
      <select
        id={id}
        name={value === undefined ? undefined : 'signup'}
        className="field"
        value={value ?? DEFAULT_MODE}
        aria-describedby={`${id}-says`}
        onChange={({ target }) => setChosen(target.value)}
      >
        {Object.entries(SIGNUP_MODE_NAMES).map(([mode, text]) => (
          <option key={mode} value={mode}>
            {text}
          </option>
        ))}
      </select>
    </Framed>
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
