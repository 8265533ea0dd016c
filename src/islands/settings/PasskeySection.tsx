import { useState } from 'react';
import type { Passkey, Safety } from '../../lib/contract/account-entities.ts';
import { call } from '../../lib/stores/api.ts';
import { addPasskey, canUsePasskeys } from '../../lib/stores/account/passkeys.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Field } from '../sign/Field.tsx';
import { Section } from '../ui/Section.tsx';
import { Time } from '../ui/Time.tsx';
import { FormRow } from './FormRow.tsx';
import { CurrentPassword, SettingsForm, type FormParts } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { Action } from '../ui/Action.tsx';
import { QuietButton } from '../ui/Button.tsx';

export function PasskeySection({ safety, onChange }: { safety: Safety; onChange(): void }) {
  const { opened, opener, close, section } = useOpened<'add'>();
  const { passkeys, can_use_passkeys: isPossible } = safety;
  const add = async ({ name = '', password = '', code }: Record<string, string>) => {
    if (!(await addPasskey(name, { password, code }))) return;
    showNotice('通行密钥已添加');
    close();
    onChange();
  };
  const canAdd = isPossible && canUsePasskeys();
  return (
    <Section title="通行密钥">
      <div ref={section}>
        <p className="text-sm text-soft">
          {isPossible
            ? '用手机或电脑的指纹、面容或锁屏密码登录，不用记密码，钓鱼网站也骗不走。'
            : '网站要有域名才能使用通行密钥。'}
          {isPossible && !canAdd && '这个浏览器不支持。'}
        </p>
        {passkeys.length > 0 && (
          <ul role="list" aria-label="通行密钥" className="mt-2">
            {passkeys.map((passkey) => (
              <Row key={passkey.id} passkey={passkey} onChange={onChange} />
            ))}
          </ul>
        )}
        {opened ? (
          <SettingsForm
            label="添加通行密钥"
            action="添加"
            call="passkeyAdd"
            asksCode
            fixed={PENDING}
            send={add}
            onEnd={close}
          >
            {(parts) => (
              <>
                <NameField {...parts} />
                <CurrentPassword {...parts} />
              </>
            )}
          </SettingsForm>
        ) : (
          canAdd && (
            <QuietButton {...opener('add')} className="mt-3">
              添加通行密钥
            </QuietButton>
          )
        )}
      </div>
    </Section>
  );
}

/** Placeholders that pass validation. The server checks the real values once the device has responded. */
const PENDING = {
  ticket: '-',
  response: '{"id":"-","rawId":"-","type":"public-key","response":{}}',
};

function NameField({ idOf, errors, value }: FormParts & { value?: string }) {
  return (
    <Field
      id={idOf('name')}
      label="名称"
      name="name"
      dir="auto"
      autoComplete="off"
      defaultValue={value}
      hint="方便以后认出它，比如「我的手机」"
      error={errors['name']}
    />
  );
}

function Row({ passkey, onChange }: { passkey: Passkey; onChange(): void }) {
  const { id, name, last_used } = passkey;
  const { opened, opener, close, section } = useOpened<'rename' | 'remove'>();
  const [shown, setShown] = useState(name);
  const rename = async ({ name: typed = '' }: Record<string, string>) => {
    await call('passkeyRename', { id, name: typed }, { quiet: true });
    setShown(typed.trim());
    close();
    onChange();
  };
  const remove = async ({ password = '', code }: Record<string, string>) => {
    await call('passkeyRemove', { id, password, code }, { quiet: true });
    showNotice('通行密钥已删除');
    onChange();
  };
  return (
    <FormRow
      section={section}
      name={<bdi>{shown}</bdi>}
      meta={
        <>
          最近使用 <Time iso={last_used} />
        </>
      }
      actions={
        <>
          <Action {...opener('rename')} className="text-sm" label={`给通行密钥「${shown}」改名`}>
            改名
          </Action>
          <Action {...opener('remove')} isDangerous className="text-sm" label={`删除通行密钥「${shown}」`}>
            删除
          </Action>
        </>
      }
    >
      {opened === 'rename' && (
        <SettingsForm
          label={`给通行密钥「${shown}」改名`}
          action="保存"
          call="passkeyRename"
          fixed={{ id }}
          send={rename}
          onEnd={close}
        >
          {(parts) => <NameField {...parts} value={shown} />}
        </SettingsForm>
      )}
      {opened === 'remove' && (
        <SettingsForm
          label={`删除通行密钥「${shown}」`}
          action="删除"
          isDangerous
          call="passkeyRemove"
          asksCode
          fixed={{ id }}
          send={remove}
          onEnd={close}
        />
      )}
    </FormRow>
  );
}
