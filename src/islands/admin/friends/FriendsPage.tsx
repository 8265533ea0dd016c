import { useRef, useState, type ReactNode } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import type { StaffFriend } from '../../../lib/contract/calls/friend-calls.ts';
import { friendsUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { showError, showNotice } from '../../../lib/stores/toasts.ts';
import { Action } from '../../ui/Action.tsx';
import { QuietButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Section } from '../../ui/Section.tsx';
import { SortableList } from '../../ui/SortableList.tsx';
import { Time } from '../../ui/Time.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { FriendDialog } from './FriendDialog.tsx';

const load = async () => (await call('staffFriends', {}, { quiet: true })).friends;

export default consoleAnswer(load, (friends, reload) => <Friends loaded={friends} reload={reload} />);

const isAccepted = ({ state }: StaffFriend) => state === 'shown' || state === 'hidden';

function Friends({ loaded, reload }: { loaded: StaffFriend[]; reload(): void }) {
  /** Friend in the dialog; null for a new one. */
  const [edited, setEdited] = useState<StaffFriend | null | undefined>();
  const inState = (state: StaffFriend['state']) => loaded.filter((friend) => friend.state === state);
  const accepted = loaded.filter(isAccepted);
  const actionsOf = (friend: StaffFriend) => (
    <Actions {...{ friend, reload }} edit={() => setEdited(friend)} />
  );
  const queue = (friends: StaffFriend[]) => (
    <ul role="list">
      {friends.map((friend) => (
        <li key={friend._id} className="hairline py-2 flex flex-wrap items-center gap-x-3">
          <Facts friend={friend}>
            {[friend.feed, friend.logo, friend.email].filter(Boolean).map((text) => (
              <bdi key={text} className="block">
                {text}
              </bdi>
            ))}
            申请于 <Time iso={friend.create_time} />
          </Facts>
          <span className="flex ml-auto text-sm">{actionsOf(friend)}</span>
        </li>
      ))}
    </ul>
  );
  return (
    <div className="pb-16">
      <div className="flex items-center justify-between gap-4">
        <p className="meta">
          <a href={friendsUrl()}>友链页</a>不在导航里时，可以在「设置 · 导航」里加上
        </p>
        <QuietButton onClick={() => setEdited(null)}>添加友链</QuietButton>
      </div>
      <Section title="申请">
        {inState('applied').length === 0 ? (
          <p className="text-soft">没有要看的申请。</p>
        ) : (
          queue(inState('applied'))
        )}
      </Section>
      <Section title={`友链（${accepted.length}）`}>
        {accepted.length === 0 ? (
          <EmptyState message="还没有友链。访客在友链页申请，或者你自己添加。" />
        ) : (
          <Order {...{ accepted, reload, actionsOf }} />
        )}
      </Section>
      {inState('refused').length > 0 && (
        <Section title="没有通过的">
          <p className="meta">保留 90 天，同一个网站在这期间再申请也不会再出现。</p>
          {queue(inState('refused'))}
        </Section>
      )}
      {edited !== undefined && (
        <FriendDialog
          friend={edited}
          groups={[...new Set(accepted.map(({ group }) => group).filter(Boolean))]}
          onClose={() => setEdited(undefined)}
          changed={reload}
        />
      )}
    </div>
  );
}

interface OrderProps {
  accepted: StaffFriend[];
  reload(): void;
  actionsOf(friend: StaffFriend): ReactNode;
}

/** Groups and the friends in each, put in order by dragging or with buttons. Every move is saved. */
function Order({ accepted, reload, actionsOf }: OrderProps) {
  const key = JSON.stringify(accepted);
  const [own, setOwn] = useState({ of: key, friends: accepted });
  // Friends that were loaded again replace the order shown.
  const friends = own.of === key ? own.friends : accepted;
  const saving = useRef(Promise.resolve());
  const groups = [...Map.groupBy(friends, ({ group }) => group)];

  /** Saves are queued, so the last order wins. */
  const put = (next: StaffFriend[], isDone: boolean) => {
    setOwn({ of: key, friends: next });
    if (!isDone) return;
    const placed = next.map(({ _id, group }) => ({ id: _id, group }));
    saving.current = saving.current
      .then(() => call('friendOrder', { friends: JSON.stringify(placed) }, { quiet: true }))
      .then(
        () => undefined,
        (error: unknown) => {
          showError(explain(error, '顺序没有保存，请再试一次'));
          reload();
        },
      );
  };
  const listOf = (group: string, of: StaffFriend[]) => (
    <SortableList
      items={of}
      keyOf={({ _id }) => _id}
      nameOf={({ name }) => `「${name}」`}
      onOrder={(next, isDone) =>
        put(
          groups.flatMap(([each, before]) => (each === group ? next : before)),
          isDone,
        )
      }
      actions={actionsOf}
    >
      {(friend) => <Facts friend={friend} />}
    </SortableList>
  );
  const [first] = groups;
  if (groups.length === 1 && first?.[0] === '') return listOf(...first);
  return (
    <SortableList
      items={groups}
      keyOf={([group]) => group}
      nameOf={([group]) => `分组「${group || '未分组'}」`}
      onOrder={(next, isDone) =>
        put(
          next.flatMap(([, of]) => of),
          isDone,
        )
      }
    >
      {([group, of]) => (
        <>
          <h3 className="section-title flex-1 min-w-0 wrap-anywhere">{group || '未分组'}</h3>
          <div className="order-last basis-full min-w-0 ps-6">{listOf(group, of)}</div>
        </>
      )}
    </SortableList>
  );
}

function Facts({ friend, children }: { friend: StaffFriend; children?: ReactNode }) {
  const { name, url, description, state, failing_since, check_time, problem, feed_problem } = friend;
  return (
    <div className="flex-1 basis-50 min-w-0 py-2 text-sm text-soft wrap-anywhere">
      <p className="text-base">
        <a href={url} className="quiet-link font-600 text-ink" rel="noopener noreferrer">
          <bdi>{name}</bdi>
        </a>
        {state === 'hidden' && <span className="badge ml-2">不显示</span>}
        {friend.is_unreachable && <span className="badge ml-2">打不开</span>}
      </p>
      <p>
        <bdi>{url}</bdi>
      </p>
      {description !== '' && <p dir="auto">{description}</p>}
      {failing_since !== undefined && (
        <p className="text-vermilion">
          从 <Time iso={failing_since} /> 起打不开：{problem}
        </p>
      )}
      {feed_problem !== '' && <p className="text-vermilion">读不了订阅：{feed_problem}</p>}
      {state === 'shown' && check_time !== undefined && (
        <p>
          上次检查 <Time iso={check_time} />
        </p>
      )}
      {children}
    </div>
  );
}

interface ActionsProps {
  friend: StaffFriend;
  edit(): void;
  reload(): void;
}

function Actions({ friend: { _id: id, name, state }, edit, reload }: ActionsProps) {
  const decide = (action: 'hide' | 'show' | 'refuse', done: string) => async () => {
    if (await call('friendDecide', { id, action }).catch(() => null)) showNotice(done);
    reload();
  };
  const remove = () =>
    askAndRemove({
      title: `删除「${name}」？`,
      text: state === 'shown' || state === 'hidden' ? '朋友圈里它的文章也不再显示。' : '以后它可以再申请。',
      remove: () => call('friendDecide', { id, action: 'delete' }),
      settled: reload,
    });
  const isApplication = state === 'applied' || state === 'refused';
  return (
    <>
      <Action label={`${isApplication ? '通过' : '编辑'}：${name}`} onClick={edit}>
        {isApplication ? '通过' : '编辑'}
      </Action>
      {state === 'applied' && (
        <Action label={`不通过：${name}`} work={decide('refuse', '没有通过')}>
          不通过
        </Action>
      )}
      {state === 'shown' && (
        <Action label={`隐藏：${name}`} work={decide('hide', '已隐藏')}>
          隐藏
        </Action>
      )}
      {state === 'hidden' && (
        <Action label={`显示：${name}`} work={decide('show', '已显示')}>
          显示
        </Action>
      )}
      <Action isDangerous label={`删除：${name}`} onClick={() => void remove()}>
        删除
      </Action>
    </>
  );
}
