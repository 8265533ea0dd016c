import { useState } from 'react';
import type { Safety } from '../../lib/contract/account-entities.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';
import { island } from '../ui/island.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Answered } from '../ui/form/Answered.tsx';
import { signedInOnly } from '../ui/for-signed-in.tsx';
import { AccessTokenSection } from './AccessTokenSection.tsx';
import { Closed, ClosingSection, type Contents } from './ClosingSection.tsx';
import { DeviceSection } from './DeviceSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { ExportSection } from './ExportSection.tsx';
import { IdentitySection, type OfferedProvider } from './IdentitySection.tsx';
import { NoticeSettings } from './NoticeSettings.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { HasPassword } from './SettingsForm.tsx';
import { TwoStepSection } from './TwoStepSection.tsx';
import { WebhookSection } from './WebhookSection.tsx';

/** Facts that servers of older versions do not send. */
const PASSWORDS_ONLY: Partial<Safety> = { has_password: true, identities: [] };

const askSafety = async () => {
  const quiet = { quiet: true };
  const [safety, devices, access, user] = await Promise.all([
    call('safety', {}, quiet),
    call('deviceList', {}, quiet),
    isOffered('accessTokenList') ? call('accessTokenList', {}, quiet) : null,
    isOffered('profileChange') ? call('getUserInfo', { username: '' }, quiet) : null,
  ]);
  return { safety: { ...PASSWORDS_ONLY, ...safety }, devices, access, user };
};

interface Props {
  /** Identity providers of the site. */
  providers: readonly OfferedProvider[];
  onClosed(contents: Contents): void;
}

const OpenSettings = signedInOnly<Props>(function OpenSettings({ username, providers, onClosed }) {
  if (!isOffered('safety')) return <EmptyState message="这个网站的服务器没有账号设置。" />;
  return (
    <Answered ask={askSafety} waiting={<div className="skeleton-rows" />}>
      {({ safety, devices, access, user }, reload) => (
        <HasPassword value={safety.has_password}>
          <div className="pb-16">
            {user && <ProfileSection user={user} safety={safety} onChange={reload} />}
            <PasswordSection
              username={username}
              safety={safety}
              hasTokens={(access?.tokens.length ?? 0) > 0}
              onChange={reload}
            />
            <IdentitySection safety={safety} providers={providers} onChange={reload} />
            <TwoStepSection username={username} safety={safety} onChange={reload} />
            <PasskeySection safety={safety} onChange={reload} />
            <EmailSection safety={safety} onChange={reload} />
            <NoticeSettings />
            <WebhookSection />
            <DeviceSection devices={devices} onChange={reload} />
            {access && <AccessTokenSection {...access} asksCode={safety.has_totp} onChange={reload} />}
            <ExportSection />
            <ClosingSection username={username} onClosed={onClosed} />
          </div>
        </HasPassword>
      )}
    </Answered>
  );
});

export default island(function Settings({ providers }: Pick<Props, 'providers'>) {
  const [closed, setClosed] = useState<Contents | null>(null);
  return closed === null ? (
    <OpenSettings providers={providers} onClosed={setClosed} />
  ) : (
    <Closed contents={closed} />
  );
});
