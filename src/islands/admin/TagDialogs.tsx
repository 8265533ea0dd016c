import { useState } from 'react';
import { isRefusedWith } from '../../lib/client/is-refused-with.ts';
import { BOUNDS } from '../../lib/contract/rules/bounds.ts';
import type { StaffTag } from '../../lib/contract/calls/tag-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { ask } from '../../lib/stores/ask.ts';
import { showNotice, showUndo } from '../../lib/stores/toasts.ts';
import { Choice } from '../ui/form/Choice.tsx';
import { AreaField, LineField } from '../ui/form/LineField.tsx';
import { FormDialog } from '../ui/form/FormDialog.tsx';

interface Props {
  onClose(): void;
  changed: () => void;
}

/** Merges `tags` into the tag named `into`, after confirmation, because a merge cannot be undone. */
async function askAndMerge(tags: readonly StaffTag[], into: string, changed: () => void): Promise<void> {
  const others = tags.filter(({ name }) => name !== into);
  const names = others.map(({ name }) => `「${name}」`).join('');
  const isSure = await ask({
    title: `把${names}合并到「${into}」？`,
    text: '文章、草稿和回收站里的都会改用它，旧的链接会转到它的页面。合并不能撤销。',
    action: '合并',
    isDestructive: true,
  });
  if (!isSure) return;
  const done = await call('tagMerge', { ids: others.map(({ _id }) => _id), into }).catch(() => null);
  if (done) showNotice(`已合并到「${into}」`);
  changed();
}

/** Renames a tag. Offers a merge if the new name exists. */
export function RenameTag({ tag, onClose, changed }: Props & { tag: StaffTag }) {
  const [name, setName] = useState(tag.name);
  const rename = async () => {
    try {
      const { former, name: given } = await call('tagRename', { id: tag._id, name }, { quiet: true });
      changed();
      onClose();
      if (former === given) return;
      const undo = () => call('tagRename', { id: tag._id, name: former }).then(changed, changed);
      showUndo(`已改名为「${given}」`, undo);
    } catch (error) {
      if (!isRefusedWith(error, 'TAG_TAKEN')) throw error;
      onClose();
      await askAndMerge([tag], name.trim(), changed);
    }
  };
  return (
    <FormDialog title={`给「${tag.name}」改名`} action="改名" onClose={onClose} onGiven={rename}>
      <LineField
        label="新名字"
        hint="用到它的文章和草稿都会改，旧名的链接会转到新名。"
        dir="auto"
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}

export function DescribeTag({ tag, onClose, changed }: Props & { tag: StaffTag }) {
  const [description, setDescription] = useState(tag.description);
  const describe = async () => {
    const { former } = await call('tagDescribe', { id: tag._id, description }, { quiet: true });
    changed();
    onClose();
    const undo = () => call('tagDescribe', { id: tag._id, description: former }).then(changed, changed);
    showUndo('已保存说明', undo);
  };
  return (
    <FormDialog title={`「${tag.name}」的说明`} action="保存" onClose={onClose} onGiven={describe}>
      <AreaField
        label="说明，显示在标签的页面上"
        rows={4}
        maxLength={BOUNDS.description[1] * 2}
        dir="auto"
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  );
}

export function MergeTags({ tags, onClose, changed }: Props & { tags: readonly StaffTag[] }) {
  const most = tags.toSorted((one, other) => other.page_num - one.page_num)[0];
  const [into, setInto] = useState(most?.name ?? '');
  const merge = async () => {
    onClose();
    await askAndMerge(tags, into, changed);
  };
  return (
    <FormDialog title={`合并 ${tags.length} 个标签`} action="合并" onClose={onClose} onGiven={merge}>
      <Choice label="留下哪一个" value={into} onChange={setInto}>
        {tags.map(({ _id, name, page_num }) => (
          <option key={_id} value={name}>
            {name}（{page_num} 篇）
          </option>
        ))}
      </Choice>
    </FormDialog>
  );
}
