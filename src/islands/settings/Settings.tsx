import { useState } from 'react';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Section } from '../ui/Section.tsx';
import { useOnce } from '../ui/use-once.ts';
import type { CallInput } from '../../lib/contract/calls/calls.ts';
import { AUTHOR_NOTICES } from '../../lib/contract/rules/notice-kinds.ts';
import { Answered } from '../ui/form/Answered.tsx';
import { LOG_PAGE, type WebhookCalls } from '../ui/webhooks/webhook-calls.ts';
import { Webhooks } from '../ui/webhooks/Webhooks.tsx';
import type { Safety } from '../../lib/contract/account-entities.ts';
import { island } from '../ui/island.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { signedInOnly } from '../ui/for-signed-in.tsx';
import { AccessTokenSection } from './AccessTokenSection.tsx';
import { Closed, ClosingSection, type Contents } from './ClosingSection.tsx';
import { DeviceSection } from './DeviceSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { IdentitySection, type OfferedProvider } from './IdentitySection.tsx';
import { NoticeSettings } from './NoticeSettings.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { Proofs } from './SettingsForm.tsx';
import { TwoStepSection } from './TwoStepSection.tsx';
import { UsernameSection } from './UsernameSection.tsx';
import { QuietButton } from '../ui/Button.tsx';

function ExportSection() {
  const [isBusy, once] = useOnce();
  if (!isOffered('exportBegin')) return null;
  const download = async () => {
    const { url } = await call('exportBegin', {});
    // A link makes the browser stream the download to disk, whatever its size.
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
    showNotice('开始下载，图片多时要等一会儿');
  };
  return (
    <Section id="export" title="导出">
      <p className="text-sm text-soft">
        把你的文章、草稿、私密文章、回收站、历史版本、专栏、图片和评论装进一个 zip。文章是带信息头的 Markdown
        文件，Hexo、Hugo、Jekyll、Astro 都能读，也能由站长原样导回墨页。
      </p>
      <QuietButton
        className="mt-3 aria-disabled:(opacity-70 cursor-progress)"
        aria-disabled={isBusy}
        onClick={() => void once(download)}
      >
        {isBusy ? '正在准备…' : '下载我的内容'}
      </QuietButton>
    </Section>
  );
}

const CALLS: WebhookCalls = {
  notices: AUTHOR_NOTICES,
  chosen: ['article.published'],
  empty: '还没有通知地址。自己的文章公开、修改，或者有了评论时，可以告诉自己的程序或群聊。',
  save: (fields) => call('ownWebhookSave', fields as CallInput<'ownWebhookSave'>, { quiet: true }),
  remove: (id) => call('ownWebhookDelete', { id }),
  test: (id) => call('ownWebhookTest', { id }),
  log: (id) => call('ownWebhookLog', { id, ...LOG_PAGE }, { quiet: true }),
  retry: (id, ids) => call('ownWebhookRetry', { id, ids }),
};

const ask = () => call('ownWebhookList', {}, { quiet: true });

/** Webhooks that report changes of the author's own public articles. */
function WebhookSection() {
  if (!isOffered('ownWebhookList')) return null;
  return (
    <Answered ask={ask}>
      {(webhooks, reload) => <Webhooks calls={CALLS} webhooks={webhooks} onChange={reload} />}
    </Answered>
  );
}

/** Facts that servers of older versions do not send. */
const PASSWORDS_ONLY: Partial<Safety> = { has_password: true, identities: [], closing_time: null };

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
        <Proofs value={{ hasPassword: safety.has_password, hasTotp: safety.has_totp }}>
          <div className="pb-16">
            {user && <UsernameSection user={user} onChange={reload} />}
            <PasswordSection
              username={username}
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
            {access && <AccessTokenSection {...access} onChange={reload} />}
            <ExportSection />
            <ClosingSection username={username} safety={safety} onChange={reload} onClosed={onClosed} />
          </div>
        </Proofs>
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
