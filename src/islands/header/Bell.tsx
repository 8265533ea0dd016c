import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import bell from '../../icons/bell.svg?raw';
import { $unread } from '../../lib/stores/unread.ts';
import { Icon } from '../ui/Icon.tsx';
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
      <Icon svg={bell} size={20} />
      {unread > 0 && (
        <span className="absolute top-2.5 right-2.5 w-2 h-2 rounded-full bg-vermilion" aria-hidden="true" />
      )}
    </a>
  );
}
