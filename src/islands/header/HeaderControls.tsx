import squarePen from '../../icons/square-pen.svg?raw';
import { signInUrl } from '../../lib/shared/same-site-path.ts';
import { Icon } from '../ui/Icon.tsx';
import { island } from '../ui/island.tsx';
import { useHash } from '../ui/use-hash.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Bell } from './Bell.tsx';

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
  const from = useHash(() => location.pathname + location.search + location.hash, path);
  return (
    <a href={signInUrl(from)} className="sign-in" data-for="visitor">
      登录
    </a>
  );
}
