import { useState } from 'react';
import type { StaffFriend } from '../../../lib/contract/calls/friend-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { LineField } from '../../ui/form/LineField.tsx';

const FIELDS = [
  ['name', '网站名称', ''],
  ['url', '网址', ''],
  ['description', '介绍', ''],
  ['logo', '图标', '图片的网址，会存一份到本站；没有就显示名称的第一个字。'],
  ['feed', '订阅地址', 'RSS 或 Atom。新文章会出现在朋友圈，每小时最多取一次。'],
  ['group', '分组', '可不填。名字相同的在一组，各组按第一个网站的位置排。'],
] as const;
const EMPTY = { name: '', url: '', description: '', logo: '', feed: '', group: '' };

interface Props {
  /** Null for a new one. */
  friend: StaffFriend | null;
  onClose(): void;
  changed(): void;
}

/** Adds a friend, changes one, or accepts an application. */
export function FriendDialog({ friend, onClose, changed }: Props) {
  const [fields, setFields] = useState({ ...EMPTY, ...friend });
  const [title, action] = !friend
    ? ['添加友链', '添加']
    : friend.state === 'applied' || friend.state === 'refused'
      ? ['通过友链申请', '通过']
      : ['编辑友链', '保存'];
  const save = async () => {
    const texts = Object.fromEntries(FIELDS.map(([name]) => [name, fields[name]])) as typeof EMPTY;
    await call('friendSave', { ...texts, ...(friend && { id: friend._id }) }, { quiet: true });
    showNotice(`已${action}`);
    changed();
    onClose();
  };
  return (
    <FormDialog title={title} action={action} onClose={onClose} onGiven={save}>
      <div className="grid gap-4">
        {FIELDS.map(([name, label, hint]) => (
          <LineField
            key={name}
            {...{ label, hint }}
            dir="auto"
            value={fields[name]}
            onChange={(value) => setFields({ ...fields, [name]: value })}
          />
        ))}
      </div>
    </FormDialog>
  );
}
