import { useEffect, useRef, useState } from 'react';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import { changeSettings, type SettingsChange } from '../../../lib/stores/article-settings.ts';
import { isOffered } from '../../../lib/client/offered.ts';
import { ItemMenu, type MenuItem } from '../../ui/ItemMenu.tsx';
import { isComposing } from '../../ui/form/composition.ts';
import { useOnce } from '../../ui/use-once.ts';
import { Action } from '../../ui/Action.tsx';
import { SeriesForm } from './SeriesForm.tsx';

interface Props {
  username: string;
  /** Status of the listed articles. Published articles can be withdrawn, drafts published. */
  status: 'normal' | 'draft';
  chosen: readonly string[];
  /** Moves the chosen articles to the trash. */
  onRemove: () => Promise<void>;
  /** Called with the ids of articles that no longer belong in the list. */
  onLeave: (ids: readonly string[]) => void;
  onChange: () => void;
}

const publish = (isPublic: boolean): SettingsChange => ({
  to: { status: isPublic ? 'normal' : 'draft' },
  back: { status: isPublic ? 'draft' : 'normal' },
  done: (count) => (isPublic ? `已发布 ${count} 篇` : `已撤回 ${count} 篇，在草稿里`),
});
const closeComments = (isClosed: boolean): SettingsChange => ({
  to: { comments_closed: isClosed },
  back: { comments_closed: !isClosed },
  done: (count) => `已${isClosed ? '关闭' : '打开'} ${count} 篇的评论`,
});
const keepSecret = (secret: boolean): SettingsChange => ({
  to: { secret },
  back: { secret: !secret },
  done: (count) => (secret ? `已把 ${count} 篇设为私密，只有自己看得到` : `已公开 ${count} 篇`),
});
const addTag = (tag: string): SettingsChange => ({
  to: { tags_add: [tag] },
  back: { tags_remove: [tag] },
  done: (count) => `已给 ${count} 篇加上「${tag}」`,
});
const removeTag = (tag: string): SettingsChange => ({
  to: { tags_remove: [tag] },
  back: { tags_add: [tag] },
  done: (count) => `已从 ${count} 篇去掉「${tag}」`,
});

/** Menu of the bulk actions. Servers of older versions can only move articles to the trash. */
export function BulkMenu({ username, status, chosen, onRemove, onLeave, onChange }: Props) {
  const [isBusy, once] = useOnce();
  const [form, setForm] = useState<'tag' | 'series' | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const change = (settings: SettingsChange) =>
    once(async () => {
      const changed = await changeSettings(chosen, settings, onChange);
      // Articles with a changed status or secrecy leave a list that filters by it.
      if (settings.to.status || settings.to.secret !== undefined) onLeave(changed);
    });
  const item = (text: string, settings: SettingsChange) => ({ text, run: () => void change(settings) });
  const items: MenuItem[] = [
    ...(isOffered('articleSettings')
      ? [
          item(status === 'draft' ? '发布' : '撤回为草稿', publish(status === 'draft')),
          item('关闭评论', closeComments(true)),
          item('打开评论', closeComments(false)),
          item('设为私密', keepSecret(true)),
          item('设为公开', keepSecret(false)),
          { text: '加上或去掉标签', movesFocus: true, run: () => setForm('tag') },
          { text: '放进专栏', movesFocus: true, run: () => setForm('series') },
        ]
      : []),
    { text: '移到回收站', isDangerous: true, run: () => void once(onRemove) },
  ];
  const end = () => {
    setForm(null);
    opener.current?.focus();
  };
  return (
    <>
      <ItemMenu items={items} side="bottom" align="start" ref={opener} className="action">
        批量操作
      </ItemMenu>
      {form === 'tag' && (
        <TagForm isBusy={isBusy} onChange={(settings) => void change(settings)} onEnd={end} />
      )}
      {form === 'series' && (
        <SeriesForm username={username} isBusy={isBusy} onChange={(to) => void change(to)} onEnd={end} />
      )}
    </>
  );
}

interface TagFormProps {
  isBusy: boolean;
  onChange: (settings: SettingsChange) => void;
  onEnd: () => void;
}

function TagForm({ isBusy, onChange, onEnd }: TagFormProps) {
  const [typed, setTyped] = useState('');
  const tag = typed.trim().normalize('NFC');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const go = (settings: (tag: string) => SettingsChange) => {
    if (tag === '') input.current?.focus();
    else onChange(settings(tag));
  };
  return (
    <span className="basis-full flex items-center gap-x-3 py-1">
      <input
        ref={input}
        className="field min-w-0 flex-1 max-w-60"
        aria-label="要加上或去掉的标签"
        placeholder="一个标签"
        maxLength={BOUNDS.tag[1]}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Enter') go(addTag);
          if (event.key === 'Escape') onEnd();
        }}
      />
      <Action disabled={isBusy} onClick={() => go(addTag)}>
        加上
      </Action>
      <Action disabled={isBusy} onClick={() => go(removeTag)}>
        去掉
      </Action>
    </span>
  );
}
