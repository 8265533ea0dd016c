import { useState } from 'react';
import { tagUrl } from '../../lib/shared/urls.ts';
import type { StaffTag } from '../../lib/contract/calls/tag-calls.ts';
import { TAG_KINDS } from '../../lib/contract/rules/list-filters.ts';
import { call } from '../../lib/stores/api.ts';
import { askAndRemove } from '../../lib/stores/removal.ts';
import { SelectBox, SelectionBar, type Selection } from '../ui/paged/Selection.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { ConsoleList, type ConsoleAsked } from './ConsoleList.tsx';
import { DescribeTag, MergeTags, RenameTag } from './TagDialogs.tsx';
import { Action } from '../ui/Action.tsx';

const KINDS = [
  { show: '', text: '全部' },
  { show: 'used', text: '有文章' },
  { show: 'empty', text: '没有文章' },
  { show: 'undescribed', text: '没有说明' },
];

const load = ({ show, q: keywords, page, pageSize }: ConsoleAsked) =>
  call(
    'staffTags',
    { page, pageSize, keywords, show: TAG_KINDS.find((kind) => kind === show) ?? '' },
    { quiet: true },
  );

export default forSignedIn(function TagsPage() {
  return (
    <ConsoleList
      load={load}
      kinds={KINDS}
      searchLabel="搜索标签的名字、旧名和说明"
      unit="个"
      empty="这里没有标签。"
    >
      {(tags, { changed, selection }) => <Rows {...{ tags, changed, selection }} />}
    </ConsoleList>
  );
});

interface RowsProps {
  tags: readonly StaffTag[];
  changed: () => void;
  selection: Selection;
}

function Rows({ tags, changed, selection }: RowsProps) {
  const [merged, setMerged] = useState<readonly StaffTag[]>([]);
  return (
    <>
      <SelectionBar items={tags} idOf={({ _id }) => _id} selection={selection} unit="个">
        {(chosen) => chosen.length > 1 && <Action onClick={() => setMerged(chosen)}>合并</Action>}
      </SelectionBar>
      <ol role="list">
        {tags.map((tag) => (
          <li key={tag._id} className="hairline py-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <SelectBox id={tag._id} title={tag.name} selection={selection} />
            <Row tag={tag} changed={changed} />
          </li>
        ))}
      </ol>
      {merged.length > 0 && <MergeTags tags={merged} onClose={() => setMerged([])} changed={changed} />}
    </>
  );
}

function Row({ tag, changed }: { tag: StaffTag; changed: () => void }) {
  const [asked, setAsked] = useState<'name' | 'description' | null>(null);
  const { _id: id, name, description, page_num, former_names, is_used, is_changing } = tag;
  const remove = () =>
    askAndRemove({
      title: `删除标签「${name}」？`,
      text: '没有文章和草稿在用它。它的页面和旧名的链接也不再有。',
      remove: () => call('tagDelete', { id }),
      settled: changed,
    });
  return (
    <div className="min-w-0">
      <div className="flex items-center justify-between gap-x-4 min-h-11">
        <a href={tagUrl(name)} className="quiet-link font-600 min-w-0 wrap-anywhere">
          <bdi>{name}</bdi>
        </a>
        <p className="meta flex-none tabular-nums">{page_num} 篇</p>
      </div>
      {description !== '' && (
        <p className="text-sm line-clamp-3 wrap-anywhere" dir="auto">
          {description}
        </p>
      )}
      {(former_names.length > 0 || is_changing) && (
        <p className="text-sm text-soft wrap-anywhere">
          {former_names.length > 0 && (
            <>
              旧名：<bdi>{former_names.join('、')}</bdi>
            </>
          )}
          {is_changing && <span className="badge ml-2">文章正在改名</span>}
        </p>
      )}
      <p className="flex justify-end gap-1 mr--2 text-sm whitespace-nowrap">
        <Action label={`改名：${name}`} onClick={() => setAsked('name')}>
          改名
        </Action>
        <Action label={`写说明：${name}`} onClick={() => setAsked('description')}>
          说明
        </Action>
        {!is_used && (
          <Action isDangerous label={`删除：${name}`} onClick={() => void remove()}>
            删除
          </Action>
        )}
      </p>
      {asked === 'name' && <RenameTag tag={tag} onClose={() => setAsked(null)} changed={changed} />}
      {asked === 'description' && <DescribeTag tag={tag} onClose={() => setAsked(null)} changed={changed} />}
    </div>
  );
}
