import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import bell from '../../icons/bell.svg?raw';
import { $session } from '../../lib/stores/account/session.ts';
import { $notified, $unread } from '../../lib/stores/comments/unread.ts';
import { Icon } from '../ui/Icon.tsx';
import squarePen from '../../icons/square-pen.svg?raw';
import { signInUrl } from '../../lib/shared/same-site-path.ts';
import { island } from '../ui/island.tsx';
import { useBrowser } from '../ui/use-browser.ts';
import { AccountMenu } from './AccountMenu.tsx';

/**
 * Link to comments and notifications with a red dot. The page title and its accessible name include the
 * unread counts.
 */
function Bell() {
  const isKnown = useStore($session, { ssr: 'initial' }) !== null;
  const unread = useStore($unread, { ssr: 'initial' });
  const notified = useStore($notified, { ssr: 'initial' });
  const total = unread + notified;
  useEffect(() => {
    showInTitle(total);
    return () => showInTitle(0);
  }, [total]);
  const counts = [
    ...(unread > 0 ? [`${unread} 条未读评论`] : []),
    ...(notified > 0 ? [`${notified} 条未读通知`] : []),
  ];
  const count = counts.length > 0 ? `有 ${counts.join('，')}` : '没有未读评论';
  const name = isKnown ? count : '评论';
  const href = unread === 0 && notified > 0 ? '/comment/list?tab=notice' : '/comment/list';
  return (
    <a href={href} className="icon-button relative" data-for="user" aria-label={name} title={name}>
      <Icon svg={bell} size={20} />
      {total > 0 && (
        <span className="absolute top-2.5 right-2.5 w-2 h-2 rounded-full bg-vermilion" aria-hidden="true" />
      )}
    </a>
  );
}

let shown = '';

/** Prefixes the page title with the number of unread items, `(3) 标题`; removes the prefix at 0. */
function showInTitle(unread: number): void {
  // Keeps changes that the page has made to its title since.
  const title = document.title.startsWith(shown) ? document.title.slice(shown.length) : document.title;
  shown = unread > 0 ? `(${unread}) ` : '';
  if (document.title !== shown + title) document.title = shown + title;
}

interface Props {
  path: string;
  /** Whether the page requires a signed-in reader. */
  isForSignedIn?: boolean;
}

/**
 * Controls for visitors and for signed-in readers, of which CSS shows one set (chrome.css). Sign-in returns
 * to `path`.
 */
export default island(function HeaderControls({ path, isForSignedIn = false }: Props) {
  return (
    <>
      <a href="/write" className="write">
        <Icon svg={squarePen} size={19} />
        <span className="write-label">写文章</span>
      </a>
      <Bell />
      <AccountMenu isForSignedIn={isForSignedIn} />
      <SignInLink path={path} />
    </>
  );
});

function SignInLink({ path }: { path: string }) {
  // A click in the table of contents changes the URL.
  const from = useBrowser(() => location.pathname + location.search + location.hash, path);
  return (
    <a href={signInUrl(from)} className="sign-in" data-for="visitor">
      登录
    </a>
  );
}
