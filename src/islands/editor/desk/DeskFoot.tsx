import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState, type ReactNode, type Ref } from 'react';
import { signInUrl } from '../../../lib/shared/same-site-path.ts';
import { MESSAGES } from '../../../lib/stores/draft/draft-parts.ts';
import type { Draft, SaveState } from '../../../lib/stores/draft/draft-types.ts';
import { MainButton, QuietButton, TextButton } from '../../ui/Button.tsx';
import { isOffered } from '../../../lib/client/offered.ts';
import type { Schedule } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { formatMinute } from '../../../lib/shared/time.ts';
import { lazyPart } from '../../ui/lazy.tsx';
import { formatWords, readingMinutes } from '../../../lib/shared/word-count.ts';
import { useWords } from '../fields/use-words.ts';
import { IconButton } from '../writing/Icon.tsx';
import { saveMarkdownFile } from '../markdown-file.ts';
import { Uploads } from '../pictures/Uploads.tsx';
import type { Writer } from '../writing/use-writer.ts';
import { DeskMore, type MoreItem } from './DeskMore.tsx';
import { useIsWide } from './use-screen.ts';

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

function SaveStatus({ draft, onConflict }: { draft: Draft; onConflict(): void }) {
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

/** Publication time of the text; null without a schedule, or if it is unknown. `look` reloads it. */
function useSchedule(draft: Draft): { schedule: Schedule | null; look(): void } {
  const id = useStore(draft.$id);
  const [schedule, setSchedule] = useState<Schedule | null>(null);
  const look = useCallback(() => {
    if (id === null || !isOffered('scheduleSet')) return;
    call('scheduleFind', { id }, { quiet: true, background: true }).then(
      (found) => setSchedule(found.schedule),
      // Keeps the last known state while offline.
      () => undefined,
    );
  }, [id]);
  useEffect(() => {
    look();
    // Publishing manually removes the schedule.
    const unlisten = draft.$status.listen(look);
    // It may have been published, or scheduled in another window.
    addEventListener('focus', look);
    return () => {
      unlisten();
      removeEventListener('focus', look);
    };
  }, [draft, look]);
  return { schedule, look };
}

const ScheduleDialog = lazyPart(() => import('../history/ScheduleDialog.tsx'));
const HistoryDialog = lazyPart(() => import('../history/HistoryDialog.tsx'));

interface Props {
  draft: Draft;
  writer: Writer;
  onConflict(): void;
  /** Called from a menu item that is offered while the text is empty. */
  onTemplates(): void;
  more: readonly MoreItem[];
  children?: ReactNode;
  ref: Ref<HTMLDivElement>;
}

export function DeskFoot({ draft, writer, onConflict, onTemplates, more: others, children, ref }: Props) {
  const { fields, isBusy, isPublished } = writer;
  const isWide = useIsWide();
  const mayRemove = isOffered('articleDelete');
  const words = useWords(fields.content);
  const articleId = useStore(draft.$id);
  const { schedule, look } = useSchedule(draft);
  const [isScheduling, setScheduling] = useState(false);
  const [isLookingBack, setLookingBack] = useState(() => new URLSearchParams(location.search).has('history'));
  const more: MoreItem[] = [
    ...(isOffered('scheduleSet') ? [{ text: '定时发布', run: () => setScheduling(true) }] : []),
    ...(isOffered('versionList') && articleId !== null
      ? [{ text: '历史版本', run: () => setLookingBack(true) }]
      : []),
    ...others,
    { text: '导出 Markdown', run: () => saveMarkdownFile(writer.now()) },
    // Phones have no room for it next to the frequently used buttons.
    ...(mayRemove && !isWide ? [{ text: '删除', run: () => void writer.remove() }] : []),
  ];
  return (
    <div ref={ref} className="desk-foot">
      <Uploads />
      {children}
      <div className="flex items-center gap-3">
        <div className="desk-facts">
          <SaveStatus draft={draft} onConflict={onConflict} />
          {fields.content === '' ? (
            <TextButton className="ml--1 text-sm" onClick={onTemplates}>
              从模板开始
            </TextButton>
          ) : (
            <p className="whitespace-nowrap tabular-nums">
              {words !== null && `${formatWords(words)} 字`}
              {words !== null && words > 0 && (
                <span className="max-lg:hidden"> · 约读 {readingMinutes(words)} 分钟</span>
              )}
            </p>
          )}
          {schedule && (
            <TextButton className="text-sm" onClick={() => setScheduling(true)}>
              {schedule.problem === undefined
                ? `${formatMinute(schedule.publish_time)} 发布`
                : `定时发布失败：${schedule.problem}`}
            </TextButton>
          )}
        </div>
        <div className="flex items-center gap-2">
          <DeskMore items={more} />
          {mayRemove && isWide && (
            <IconButton
              icon="remove"
              className="text-soft hover:text-vermilion"
              label="删除"
              title="删除"
              disabled={isBusy}
              onClick={() => void writer.remove()}
            />
          )}
          <QuietButton
            className="whitespace-nowrap"
            disabled={isBusy}
            onClick={() => void writer.saveAndNotify()}
          >
            {isPublished ? '暂存改动' : '保存草稿'}
          </QuietButton>
          <MainButton className="whitespace-nowrap" disabled={isBusy} onClick={() => void writer.publish()}>
            {isPublished ? '更新' : '发布'}
          </MainButton>
        </div>
      </div>
      {isLookingBack && articleId !== null && (
        <HistoryDialog
          articleId={articleId}
          fields={fields}
          onClose={() => setLookingBack(false)}
          onRestore={writer.restore}
        />
      )}
      {isScheduling && (
        <ScheduleDialog
          articleId={articleId}
          schedule={schedule}
          writer={writer}
          onClose={() => setScheduling(false)}
          onChanged={look}
        />
      )}
    </div>
  );
}
