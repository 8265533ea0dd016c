import { useState } from 'react';
import { userUrl } from '../../lib/shared/urls.ts';
import { may, ROLE_NAMES, ROLES, type Role } from '../../lib/contract/rules/permissions.ts';
import type { StaffUser } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice, showUndo } from '../../lib/stores/toasts.ts';
import { Choice } from '../ui/form/Choice.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Time } from '../ui/Time.tsx';
import { CheckField } from './CheckField.tsx';
import { ConsoleList, inParts } from './ConsoleList.tsx';
import { ProfileDialog } from './profile/ProfileDialog.tsx';
import { RoleDialog } from './RoleDialog.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { DAY_MS } from '../../lib/contract/rules/units.ts';
import { Action } from '../ui/Action.tsx';

const KINDS = [
  { show: '', text: '全部' },
  { show: 'operator', text: ROLE_NAMES.operator },
  { show: 'editor', text: ROLE_NAMES.editor },
  { show: 'banned', text: '封禁中' },
];

const load = inParts(({ show, q: keywords, ...paging }) => {
  const role = ROLES.find((each) => each === show);
  const kind = show === 'banned' ? { banned: true } : role ? { role } : {};
  return call('staffUsers', { ...paging, keywords, ...kind }, { quiet: true });
});

/** /admin/users: accounts, newest first. `role` is the role of the viewer. */
export default forSignedIn<{ role: Role }>(function UsersPage({ username, role }) {
  return (
    <ConsoleList load={load} kinds={KINDS} searchLabel="搜索用户名和显示名" unit="个" empty="这里没有账号。">
      {(users, { changed }) => (
        <ol role="list" className="mt-2">
          {users.map((user) => (
            <Row key={user._id} user={user} own={username} role={role} changed={changed} />
          ))}
        </ol>
      )}
    </ConsoleList>
  );
});

/** Lifts a ban. The call shows refusals. */
const unban = (username: string, changed: () => void) =>
  call('userUnban', { username }).then(showNotice).then(changed, changed);

interface RowProps {
  user: StaffUser;
  own: string;
  role: Role;
  changed: () => void;
}

function Row({ user, own, role, changed }: RowProps) {
  const [opened, setOpened] = useState<'role' | 'profile' | 'ban' | null>(null);
  const dialog = { onClose: () => setOpened(null), changed };
  const { username, ban } = user;
  const mayChangeRole = may(role, 'users.role');
  const mayModerate = user.role === 'author' || mayChangeRole;
  const mayBan = user.role === 'author' || (user.role === 'editor' && mayChangeRole);
  return (
    <li className="hairline py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="min-w-0 leading-relaxed">
          <a href={userUrl(username)} className="quiet-link font-600">
            <bdi>{user.display_name ?? username}</bdi>
          </a>
          {user.display_name && <bdi className="meta ml-2">@{username}</bdi>}
          {user.role !== 'author' && <span className="badge ml-2">{ROLE_NAMES[user.role]}</span>}
          {ban && <span className="badge ml-2">封禁中</span>}
        </p>
        <p className="meta">
          {user.page_num} 篇文章 · <Time iso={user.create_time} />
          注册
        </p>
      </div>
      {ban && (
        <p className="text-sm text-soft">
          {ban.until === null ? (
            '永久'
          ) : (
            <>
              到 <Time iso={ban.until} />
            </>
          )}
          ，原因：<bdi>{ban.reason}</bdi>
        </p>
      )}
      <p className="flex flex-wrap justify-end items-center gap-x-2 mr--2 text-sm whitespace-nowrap">
        {mayChangeRole && (
          <Action label={`修改 ${username} 的身份`} onClick={() => setOpened('role')}>
            身份
          </Action>
        )}
        {mayModerate && (
          <Action label={`${username} 的公开资料`} onClick={() => setOpened('profile')}>
            资料
          </Action>
        )}
        {mayBan && username !== own && !ban && (
          <Action isDangerous label={`封禁 ${username}`} onClick={() => setOpened('ban')}>
            封禁
          </Action>
        )}
        {mayBan && ban && (
          <Action label={`解除封禁：${username}`} onClick={() => void unban(username, changed)}>
            解除封禁
          </Action>
        )}
      </p>
      {opened === 'role' && <RoleDialog user={user} own={own} {...dialog} />}
      {opened === 'profile' && <ProfileDialog username={username} {...dialog} />}
      {opened === 'ban' && <BanDialog username={username} {...dialog} />}
    </li>
  );
}

/** Days of a ban; '' for one without an end. */
const SPANS: Record<string, string> = { 1: '一天', 7: '七天', 30: '三十天', '': '永久' };

interface BanProps {
  username: string;
  onClose(): void;
  changed: () => void;
}

function BanDialog({ username, onClose, changed }: BanProps) {
  const [days, setDays] = useState('7');
  const [hides, setHides] = useState(false);
  const ban = async (reason: string) => {
    const until = days === '' ? {} : { until: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    const said = await call('userBan', { username, reason, hides, ...until }).catch(() => null);
    changed();
    if (said === null) return;
    showUndo(said, () => unban(username, changed));
  };
  return (
    <ReasonDialog
      title={`封禁 ${username}`}
      action="封禁"
      hint="登录时会告诉对方。马上退出所有登录，到期前不能登录，也不能发布和评论。"
      onClose={onClose}
      onGiven={ban}
    >
      <div className="mt-4">
        <Choice label="多久" value={days} options={SPANS} onChange={setDays} />
      </div>
      <div className="mt-3">
        <CheckField isOn={hides} onChange={setHides} hint="封禁期间别人看不到，结束后自动恢复。">
          同时隐藏公开的文章、评论和主页
        </CheckField>
      </div>
    </ReasonDialog>
  );
}
