import { useSyncExternalStore } from 'react';
import squarePen from '../../icons/square-pen.svg?raw';
import { signInUrl } from '../../lib/same-site-path.ts';
import { Icon } from '../ui/Icon.tsx';
import { island } from '../ui/island.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { Bell } from './Bell.tsx';

interface Props {
  path: string;
  /** Whether the page is of use to signed-in readers alone. */
  isForSignedIn?: boolean;
}

/** Controls of visitors and of users: CSS chooses (chrome.css). Signing in leads back to `path`. */
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
  const from = useSyncExternalStore(
    listen,
    () => location.pathname + location.search + location.hash,
    () => path,
  );
  return (
    <a href={signInUrl(from)} className="sign-in" data-for="visitor">
      登录
    </a>
  );
}

/** A link of the table of contents changes where the reader is. */
function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}
