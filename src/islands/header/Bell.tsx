import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { icons } from '../../components/icons.ts';
import { $unread } from '../../lib/stores/unread.ts';
import { showInTitle } from './title.ts';

/** Leads to the comments; a red dot, the title and its name tell how many are unread. */
export function Bell() {
  const unread = useStore($unread);
  useEffect(() => {
    showInTitle(unread);
    return () => showInTitle(0);
  }, [unread]);
  const name = unread > 0 ? `有 ${unread} 条未读评论` : '没有未读评论';
  return (
    <a href="/comment/list" className="icon-button relative" data-wake="bell" aria-label={name} title={name}>
      <span className="contents" dangerouslySetInnerHTML={{ __html: icons.bell }} />
      {unread > 0 && (
        <span className="absolute top-2.5 right-2.5 w-2 h-2 rounded-full bg-vermilion" aria-hidden="true" />
      )}
    </a>
  );
}
