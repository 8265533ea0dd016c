import { Tabs } from '@base-ui/react/tabs';
import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import { $query, goTo } from '../../../lib/stores/account/address.ts';
import { createCommentBox } from '../../../lib/stores/comments/comment-box.ts';
import { CommentPanel } from './CommentPanel.tsx';
import { forSignedIn } from '../../ui/for-signed-in.tsx';
import { placeQuery, readPlace } from '../../ui/paged/place.ts';
import { isPlainClick } from '../../ui/paged/QueryLink.tsx';

type Kind = 'received' | 'sent';
const kinds: { kind: Kind; text: string }[] = [
  { kind: 'received', text: '我收到的' },
  { kind: 'sent', text: '我发起的' },
];

const FILTERS = { tab: ['sent'] } as const;

const queryOf = (kind: Kind, page = 1) => placeQuery({ tab: kind === 'sent' ? kind : '', page });

export default forSignedIn(function CommentDashboard({ username }) {
  const { tab, page } = readPlace(useStore($query), FILTERS);
  const kind: Kind = tab === '' ? 'received' : tab;
  const boxes = useMemo(
    () => ({ received: createCommentBox('to_user'), sent: createCommentBox('create_user') }),
    [],
  );
  return (
    <Tabs.Root value={kind} onValueChange={(next: Kind) => goTo(queryOf(next))}>
      <Tabs.List className="flex gap-6 border-0 border-b border-solid border-line" aria-label="评论">
        {kinds.map((each) => (
          <Tabs.Tab
            key={each.kind}
            value={each.kind}
            nativeButton={false}
            className="tab"
            render={<a href={location.pathname + queryOf(each.kind)}>{each.text}</a>}
            onClick={(event) => {
              // Leave modified clicks to the browser, which opens a tab or window.
              if (isPlainClick(event)) event.preventDefault();
              else event.preventBaseUIHandler();
            }}
          />
        ))}
      </Tabs.List>
      {kinds.map((each) => (
        <Tabs.Panel key={each.kind} value={each.kind} tabIndex={-1} className="mt-4 outline-none">
          <CommentPanel
            box={boxes[each.kind]}
            username={username}
            page={page}
            queryOf={(to) => queryOf(each.kind, to)}
          />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
});
