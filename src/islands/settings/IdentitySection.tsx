import type { Identity, Safety } from '../../lib/contract/account-entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Action } from '../ui/Action.tsx';
import { Section } from '../ui/Section.tsx';
import { Time } from '../ui/Time.tsx';
import { FormRow } from './FormRow.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';

export interface OfferedProvider {
  id: string;
  label: string;
}

interface Props {
  safety: Safety;
  providers: readonly OfferedProvider[];
  onChange(): void;
}

/** Accounts at identity providers that sign the reader in. */
export function IdentitySection({ safety, providers, onChange }: Props) {
  const { identities } = safety;
  const free = providers.filter(({ id }) => identities.every(({ provider }) => provider !== id));
  if (identities.length === 0 && free.length === 0) return null;
  return (
    <Section title="其他登录方式">
      <p className="text-sm text-soft">绑定之后，不用密码也能登录这个账号。</p>
      <ul role="list" aria-label="其他登录方式" className="mt-2">
        {identities.map((identity) => (
          <Linked key={identity.id} identity={identity} onChange={onChange} />
        ))}
        {free.map((provider) => (
          <Free key={provider.id} provider={provider} />
        ))}
      </ul>
    </Section>
  );
}

function Linked({ identity, onChange }: { identity: Identity; onChange(): void }) {
  const { id, label, name, last_used } = identity;
  const { opened, opener, close, section } = useOpened<'remove'>();
  const remove = async ({ password = '', code }: Record<string, string>) => {
    await call('identityUnlink', { id, password, code }, { quiet: true });
    showNotice('已解除绑定');
    onChange();
  };
  return (
    <FormRow
      section={section}
      name={
        <>
          {label}
          {name !== '' && (
            <>
              ：<bdi>{name}</bdi>
            </>
          )}
        </>
      }
      meta={
        <>
          最近使用 <Time iso={last_used} />
        </>
      }
      actions={
        <Action {...opener('remove')} isDangerous className="text-sm" label={`解除绑定${label}`}>
          解除绑定
        </Action>
      }
    >
      {opened && (
        <SettingsForm
          label={`解除绑定${label}`}
          action="解除绑定"
          isDangerous
          call="identityUnlink"
          asksCode
          fixed={{ id }}
          send={remove}
          onEnd={close}
        />
      )}
    </FormRow>
  );
}

function Free({ provider }: { provider: OfferedProvider }) {
  const { id, label } = provider;
  const { opened, opener, close, section } = useOpened<'link'>();
  const begin = async ({ password = '', code }: Record<string, string>) => {
    const { url } = await call('identityLink', { provider: id, password, code }, { quiet: true });
    location.assign(url);
    // The form stays busy until the provider's page has loaded.
    await new Promise(() => undefined);
  };
  return (
    <FormRow
      section={section}
      name={label}
      actions={
        <Action {...opener('link')} className="text-sm" label={`绑定${label}`}>
          绑定
        </Action>
      }
    >
      {opened && (
        <SettingsForm
          label={`绑定${label}`}
          action="去绑定"
          call="identityLink"
          asksCode
          fixed={{ provider: id }}
          send={begin}
          onEnd={close}
        />
      )}
    </FormRow>
  );
}
