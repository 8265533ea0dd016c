import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { ACCOUNT_ID } from '../../lib/shared/ids.ts';
import { userUrl } from '../../lib/shared/urls.ts';
import { leaveFor, signOut } from '../../lib/stores/api.ts';
import { $staffName, learnAccount } from '../../lib/stores/account/avatar.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { useOnce } from '../ui/use-once.ts';
import { useFlyout } from './use-flyout.ts';

const links = (username: string) => [
  { href: userUrl(username), text: '我的主页' },
  { href: '/user/list', text: '我的文章' },
  { href: '/user/draft', text: '我的草稿' },
  { href: '/comment/list', text: '我的评论' },
  { href: '/user/settings', text: '设置' },
];
const CONSOLE = { href: '/admin', text: '管理' };

/**
 * Avatar with the menu of the reader's own pages and sign-out. It is blank until the session is known.
 * Signing out leaves pages that only signed-in readers may see.
 */
export function AccountMenu({ isForSignedIn }: { isForSignedIn: boolean }) {
  const username = useStore($session, { ssr: 'initial' })?.username;
  const { isOpen, close, holder, button } = useFlyout(username !== undefined);
  useEffect(() => {
    if (username === undefined) return;
    learnAccount(username).catch((error: unknown) => console.info('no account:', error));
  }, [username]);
  return (
    <div className="relative" data-for="user" {...holder}>
      <button
        type="button"
        className="icon-button"
        aria-label={username === undefined ? '账户' : `账户，${username}`}
        aria-expanded={isOpen}
        aria-controls={username === undefined ? undefined : ACCOUNT_ID}
        {...button}
      >
        <Avatar username={username ?? ''} file="" size={32} />
      </button>
      {username !== undefined && (
        <Panel username={username} isOpen={isOpen} close={close} {...{ isForSignedIn }} />
      )}
    </div>
  );
}

interface PanelProps {
  username: string;
  isOpen: boolean;
  close(): void;
  isForSignedIn: boolean;
}

function Panel({ username, isOpen, close, isForSignedIn }: PanelProps) {
  const isStaff = useStore($staffName, { ssr: 'initial' }) === username;
  const [isLeaving, once] = useOnce();
  const leave = async () => {
    await signOut();
    if (isForSignedIn) leaveFor('/home');
    else showNotice('已退出登录');
  };
  return (
    <div
      id={ACCOUNT_ID}
      className="absolute top-full right-0 w-44 py-1 border border-solid border-line rounded bg-raised shadow-float"
      hidden={!isOpen}
    >
      <p className="m-0 px-4 py-2 text-sm text-soft truncate" dir="auto">
        {username}
      </p>
      {[...links(username), ...(isStaff ? [CONSOLE] : [])].map(({ href, text }) => (
        <a key={href} href={href} className="account-item" onClick={close}>
          {text}
        </a>
      ))}
      <div className="hairline">
        <button type="button" className="account-item" disabled={isLeaving} onClick={() => void once(leave)}>
          退出
        </button>
      </div>
    </div>
  );
}
