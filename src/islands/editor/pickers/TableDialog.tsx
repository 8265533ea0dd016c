import type { TableChange } from '../commands/tables.ts';
import type { Writing } from '../writing/writing.ts';
import { Picker } from './Picker.tsx';

const CHANGES: { change: TableChange; name: string; words: string }[] = [
  { change: 'rowBelow', name: '在下方插入行', words: 'xfcrh row below' },
  { change: 'rowAbove', name: '在上方插入行', words: 'sfcrh row above' },
  { change: 'columnAfter', name: '在右侧插入列', words: 'ycrl column right' },
  { change: 'columnBefore', name: '在左侧插入列', words: 'zcrl column left' },
  { change: 'removeRow', name: '删除这一行', words: 'schang delete row' },
  { change: 'removeColumn', name: '删除这一列', words: 'sclie delete column' },
  { change: 'alignStart', name: '这一列左对齐', words: 'zdq align left' },
  { change: 'alignCenter', name: '这一列居中', words: 'jz align center' },
  { change: 'alignEnd', name: '这一列右对齐', words: 'ydq align right' },
  { change: 'removeTable', name: '删除整个表格', words: 'scbg delete table' },
];

export function TableDialog({ writing, onClose }: { writing: Writing; onClose(): void }) {
  const find = (query: string) => {
    const wanted = query.toLowerCase();
    return CHANGES.filter(({ name, words }) => name.includes(wanted) || words.includes(wanted));
  };
  return (
    <Picker
      title="表格"
      label="搜索操作"
      placeholder="搜索：行、列、对齐……"
      choicesOf={find}
      emptyOf={(query) => `没有叫「${query}」的操作`}
      keyOf={({ change }) => change}
      nameOf={({ name }) => name}
      onPick={({ change }) => {
        writing.changeTable(change);
        // Runs after the dialog has restored focus.
        requestAnimationFrame(() => writing.focus());
      }}
      onClose={onClose}
    >
      {({ name }) => name}
    </Picker>
  );
}
