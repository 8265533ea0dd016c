import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import squarePen from '../../icons/square-pen.svg?raw';
import { signInUrl } from '../../lib/own-path.ts';
import { $session } from '../../lib/stores/session.ts';
import { Icon } from '../ui/Icon.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { Bell } from './Bell.tsx';

/** The reader's own controls in the header. What stands there before is drawn by components/account.ts. */
export default function HeaderControls() {
  const username = useStore($session)?.username;
  useEffect(() => {
    // As the theme script set it before first paint.
    const { dataset } = document.documentElement;
    if (username === undefined) delete dataset['user'];
    else dataset['user'] = '';
  }, [username]);
  return (
    <>
      <a href="/write" className="write" data-wake="write">
        <Icon svg={squarePen} size={19} />
        <span className="write-label">写文章</span>
      </a>
      {username === undefined ? (
        <SignInLink />
      ) : (
        <>
          <Bell />
          <AccountMenu key={username} username={username} />
        </>
      )}
    </>
  );
}

function SignInLink() {
  const here = () => signInUrl(location.pathname + location.search + location.hash);
  return (
    <a
      href={here()}
      className="sign-in"
      data-wake="sign-in"
      // A link of the table of contents may have been followed since.
      onClick={({ currentTarget }) => (currentTarget.href = here())}
    >
      登录
    </a>
  );
}
