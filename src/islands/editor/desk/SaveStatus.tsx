import { useStore } from '@nanostores/react';
import { signInUrl } from '../../../lib/shared/same-site-path.ts';
import { MESSAGES } from '../../../lib/stores/draft/draft-parts.ts';
import type { Draft, SaveState } from '../../../lib/stores/draft/draft.ts';
import { TextButton } from '../../ui/Button.tsx';

const WORDS: Record<SaveState, string> = {
  clean: '没有改动',
  dirty: '有改动',
  saving: '保存中……',
  saved: '已保存',
  local: '离线，已存本机',
  conflict: '在别处也改过，等你选择',
  failed: '没有保存成功',
};
/** States announced to screen readers. Repeated saves are not announced. */
const NEWS: readonly SaveState[] = ['local', 'conflict', 'failed'];

export function SaveStatus({ draft, onConflict }: { draft: Draft; onConflict(): void }) {
  const state = useStore(draft.$state);
  const savedAt = useStore(draft.$savedAt);
  const message = useStore(draft.$message);
  const needsSignIn = useStore(draft.$needsSignIn);
  const isElsewhere = useStore(draft.$elsewhere);
  // For a lost connection, this component has its own text.
  const hasOwnWord = message !== null && message !== MESSAGES.later && state !== 'conflict';
  const isNews = NEWS.includes(state);
  const time = savedAt && (state === 'saved' || state === 'clean') ? clockOf(savedAt) : '';
  return (
    <>
      <output aria-live={isNews ? 'polite' : 'off'} className={isNews ? 'text-ink' : undefined}>
        {hasOwnWord ? message : state === 'clean' && time ? WORDS.saved : WORDS[state]}
        {time && <time dateTime={savedAt ?? ''}> {time}</time>}
      </output>
      {needsSignIn && (
        <a href={signInUrl(location.pathname + location.search)} className="button-text text-sm">
          重新登录
        </a>
      )}
      {isElsewhere && <p>另一个窗口也开着这篇</p>}
      {state === 'conflict' && (
        <TextButton className="text-sm" onClick={onConflict}>
          看看两份
        </TextButton>
      )}
    </>
  );
}

function clockOf(iso: string): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString('zh-CN', {
    ...(isToday ? {} : { month: 'long', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
}
