import { useState } from 'react';
import type { StaffFriend } from '../../../lib/contract/calls/friend-calls.ts';
import { friendsUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Action } from '../../ui/Action.tsx';
import { QuietButton } from '../../ui/Button.tsx';
import { Section } from '../../ui/Section.tsx';
import { SortableList } from '../../ui/SortableList.tsx';
import { Time } from '../../ui/Time.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { useOrder } from '../use-order.ts';
import { FriendDialog } from './FriendDialog.tsx';

const load = async () => (await call('staffFriends', {}, { quiet: true })).friends;

export default consoleAnswer(load, (friends, reload) => <Friends loaded={friends} reload={reload} />);

const isAccepted = ({ state }: StaffFriend) => state === 'shown' || state === 'hidden';
const saveOrder = (items: readonly StaffFriend[]) => {
  const placed = items.filter(isAccepted).map(({ _id: id, group }) => ({ id, group }));
  return call('friendOrder', { friends: JSON.stringify(placed) }, { quiet: true });
};

function Friends({ loaded, reload }: { loaded: StaffFriend[]; reload(): void }) {
  /** Friend in the dialog; null for a new one. */
  const [edited, setEdited] = useState<StaffFriend | null>();
  const { items, onOrder } = useOrder(loaded, saveOrder, reload);
  const accepted = items.filter(isAccepted);
  const actionsOf = (friend: StaffFriend) => (
    <Actions {...{ friend, reload }} edit={() => setEdited(friend)} />
  );
  const queue = (state: StaffFriend['state'], title: string, text: string) => {
    const friends = items.filter((friend) => friend.state === state);
    return (
      <Section title={title}>
        {(friends.length === 0) === (state === 'applied') && <p className="meta">{text}</p>}
        <ul role="list">
          {friends.map((friend) => (
            <li key={friend._id} className="hairline flex flex-wrap items-center gap-x-3">
              <Facts friend={friend} />
              <span className="flex ml-auto text-sm">{actionsOf(friend)}</span>
            </li>
          ))}
        </ul>
      </Section>
    );
  };
  return (
    <div className="pb-16">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="meta">
          <a href={friendsUrl()}>友链页</a>可以在「设置 · 导航」里放进导航
        </p>
        <QuietButton onClick={() => setEdited(null)}>添加友链</QuietButton>
      </div>
      {queue('applied', '申请', '没有要看的申请。')}
      <Section title="友链">
        {accepted.length === 0 && <p className="meta">还没有友链。访客在友链页申请，或者你自己添加。</p>}
        <SortableList
          items={accepted}
          keyOf={({ _id }) => _id}
          nameOf={({ name }) => `「${name}」`}
          onOrder={(next, isDone) => onOrder([...next, ...items.filter((each) => !isAccepted(each))], isDone)}
          actions={actionsOf}
        >
          {(friend) => <Facts friend={friend} />}
        </SortableList>
      </Section>
      {items.some(({ state }) => state === 'refused') &&
        queue('refused', '没有通过的', '留 90 天，同一个网站在这期间再申请也不会出现。')}
      {edited !== undefined && (
        <FriendDialog friend={edited} onClose={() => setEdited(undefined)} changed={reload} />
      )}
    </div>
  );
}

function Facts({ friend }: { friend: StaffFriend }) {
  const { name, url, description, logo, feed, email, group, state, failing_since, check_time } = friend;
  const more = isAccepted(friend) ? [] : [feed && `订阅 ${feed}`, logo && `图标 ${logo}`, email];
  return (
    <div className="flex-1 min-w-60 py-2 text-sm text-soft wrap-anywhere">
      <a href={url} className="quiet-link text-base font-600 text-ink" rel="noopener noreferrer">
        <bdi>{name}</bdi>
      </a>
      {[group, state === 'hidden' && '不显示', friend.is_unreachable && '打不开'].map(
        (text) =>
          text && (
            <span key={text} className="badge ml-2">
              {text}
            </span>
          ),
      )}
      {[url, description, ...more].filter(Boolean).map((text) => (
        <p key={text} dir="auto">
          {text}
        </p>
      ))}
      {failing_since !== undefined && (
        <p className="text-vermilion">
          <Time iso={failing_since} />
          发现打不开：{friend.problem}
        </p>
      )}
      {friend.feed_problem !== '' && <p className="text-vermilion">读不了订阅：{friend.feed_problem}</p>}
      {!isAccepted(friend) ? (
        <p>
          申请于 <Time iso={friend.create_time} />
        </p>
      ) : (
        check_time !== undefined && (
          <p>
            上次检查 <Time iso={check_time} />
          </p>
        )
      )}
    </div>
  );
}

/** Actions by the state of a friend, with their label and result. */
const DECISIONS = {
  applied: ['refuse', '不通过'],
  shown: ['hide', '隐藏'],
  hidden: ['show', '显示'],
  refused: null,
} as const;

function Actions({ friend, edit, reload }: { friend: StaffFriend; edit(): void; reload(): void }) {
  const { _id: id, name, state } = friend;
  const [action, label] = DECISIONS[state] ?? [];
  const decide = async () => {
    if (action && (await call('friendDecide', { id, action }).catch(() => null))) showNotice(`已${label}`);
    reload();
  };
  const remove = () =>
    askAndRemove({
      title: `删除「${name}」？`,
      text: isAccepted(friend) ? '朋友圈里它的文章也不再显示。' : '以后它可以再申请。',
      remove: () => call('friendDecide', { id, action: 'delete' }),
      settled: reload,
    });
  const opening = isAccepted(friend) ? '编辑' : '通过';
  return (
    <>
      <Action label={`${opening}：${name}`} onClick={edit}>
        {opening}
      </Action>
      {action && (
        <Action label={`${label}：${name}`} work={decide}>
          {label}
        </Action>
      )}
      <Action isDangerous label={`删除：${name}`} onClick={() => void remove()}>
        删除
      </Action>
    </>
  );
}
