import { useId, useState } from 'react';
import type { StaffFriend } from '../../../lib/contract/calls/friend-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { AreaField, LineField } from '../../ui/form/LineField.tsx';

interface Props {
  /** Null for a new one. */
  friend: StaffFriend | null;
  groups: readonly string[];
  onClose(): void;
  changed(): void;
}

/** Adds a friend, changes one, or accepts an application. */
export function FriendDialog({ friend, groups, onClose, changed }: Props) {
  const listId = useId();
  const { name = '', url = '', description = '', logo = '', feed = '', group = '' } = friend ?? {};
  const [fields, setFields] = useState({ name, url, description, logo, feed, group });
  const bind = (key: keyof typeof fields) => ({
    value: fields[key],
    onChange: (value: string) => setFields({ ...fields, [key]: value }),
  });
  const isApplication = friend?.state === 'applied' || friend?.state === 'refused';
  const save = async () => {
    await call('friendSave', { ...fields, ...(friend && { id: friend._id }) }, { quiet: true });
    showNotice(isApplication ? '已通过，显示在友链里了' : '已保存');
    changed();
    onClose();
  };
  const title = !friend ? '添加友链' : isApplication ? '通过友链申请' : '编辑友链';
  const address = { dir: 'ltr', inputMode: 'url', autoCapitalize: 'off', spellCheck: false } as const;
  return (
    <FormDialog title={title} action={isApplication ? '通过' : '保存'} onClose={onClose} onGiven={save}>
      <div className="grid gap-4">
        <LineField label="网站名称" dir="auto" {...bind('name')} />
        <LineField label="网址" {...address} {...bind('url')} />
        <AreaField label="介绍" dir="auto" rows={2} {...bind('description')} />
        <LineField
          label="图标"
          hint="图片的网址，会存一份到本站；没有就显示名称的第一个字。"
          {...address}
          {...bind('logo')}
        />
        <LineField
          label="订阅地址"
          hint="RSS 或 Atom。新文章会出现在朋友圈，每小时最多取一次。"
          {...address}
          {...bind('feed')}
        />
        <LineField
          label="分组"
          hint="可不填。写一个新的名字就有了新的分组。"
          list={listId}
          dir="auto"
          {...bind('group')}
        />
        <datalist id={listId}>
          {groups.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
    </FormDialog>
  );
}
