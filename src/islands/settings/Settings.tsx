import { useState } from 'react';
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
import { NoticeSettings } from './NoticeSettings.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { TwoStepSection } from './TwoStepSection.tsx';
import { WebhookSection } from './WebhookSection.tsx';

const askSafety = async () => {
  const quiet = { quiet: true };
  const [safety, devices, access] = await Promise.all([
    call('safety', {}, quiet),
    call('deviceList', {}, quiet),
    isOffered('accessTokenList') ? call('accessTokenList', {}, quiet) : null,
  ]);
  return { safety, devices, access };
};

const OpenSettings = signedInOnly<{ onClosed(contents: Contents): void }>(function OpenSettings({
  username,
  onClosed,
}) {
  if (!isOffered('safety')) return <EmptyState message="这个网站的服务器没有账号设置。" />;
  return (
    <Answered ask={askSafety} waiting={<div className="skeleton-rows" />}>
      {({ safety, devices, access }, reload) => (
        <div className="pb-16">
          <PasswordSection
            username={username}
            safety={safety}
            hasTokens={(access?.tokens.length ?? 0) > 0}
            onChange={reload}
          />
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
      )}
    </Answered>
  );
});

export default island(function Settings() {
  const [closed, setClosed] = useState<Contents | null>(null);
  return closed === null ? <OpenSettings onClosed={setClosed} /> : <Closed contents={closed} />;
});
