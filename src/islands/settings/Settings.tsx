import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { isOffered } from '../../lib/client/offered.ts';
import { createAccountSafety } from '../../lib/stores/account/safety.ts';
import { SignedIn } from '../dashboards/SignedIn.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { island } from '../ui/island.tsx';
import { Problem } from '../ui/form/Problem.tsx';
import { ClosingSection } from './ClosingSection.tsx';
import { DeviceSection } from './DeviceSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { ExportSection } from './ExportSection.tsx';
import { NoticeSettings } from './NoticeSettings.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { TwoStepSection } from './TwoStepSection.tsx';

export default island(function Settings({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>
      {(username) =>
        isOffered('safety') ? (
          <Sections key={username} username={username} />
        ) : (
          <EmptyState message="这个网站的服务器没有账号设置。" />
        )
      }
    </SignedIn>
  );
});

function Sections({ username }: { username: string }) {
  const store = useMemo(() => createAccountSafety(), []);
  const { safety, devices, problem } = useStore(store.$state);
  useEffect(() => void store.load(), [store]);
  const reload = () => void store.load();
  if (!safety && problem === '') return <div className="skeleton-rows" />;
  return (
    <>
      <Problem text={problem} onRetry={reload} />
      {safety && (
        <div className="pb-16">
          <PasswordSection username={username} safety={safety} onChange={reload} />
          <TwoStepSection username={username} safety={safety} onChange={reload} />
          <PasskeySection safety={safety} onChange={reload} />
          <EmailSection safety={safety} onChange={reload} />
          <NoticeSettings />
          <DeviceSection devices={devices} onChange={reload} />
          <ExportSection />
          <ClosingSection username={username} />
        </div>
      )}
    </>
  );
}
