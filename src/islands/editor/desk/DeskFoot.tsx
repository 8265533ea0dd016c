import { useStore } from '@nanostores/react';
import { useEffect, useState, type ReactNode, type Ref } from 'react';
import { isOffered } from '../../../lib/client/offered.ts';
import type { Draft } from '../../../lib/stores/draft/draft.ts';
import { formatMinute } from '../../../lib/shared/time.ts';
import { lazyPart } from '../../ui/lazy.tsx';
import { readingMinutes } from '../../../lib/shared/word-count.ts';
import { createWordCounter } from '../fields/counts.ts';
import { DeskMore, type MoreItem } from './DeskMore.tsx';
import { Icon } from '../writing/Icon.tsx';
import { saveMarkdownFile } from '../markdown-file.ts';
import { SaveStatus } from './SaveStatus.tsx';
import { Uploads } from '../pictures/Uploads.tsx';
import { useSchedule } from './use-schedule.ts';
import { useIsWide } from './use-screen.ts';
import type { Writer } from '../writing/use-writer.ts';
import { QuietButton, TextButton } from '../../ui/Button.tsx';

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
              {words.toLocaleString('zh-CN')} 字
              {words > 0 && <span className="max-lg:hidden"> · 约读 {readingMinutes(words)} 分钟</span>}
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
            <button
              type="button"
              className="tool text-soft hover:text-vermilion"
              aria-label="删除"
              title="删除"
              disabled={isBusy}
              onClick={() => void writer.remove()}
            >
              <Icon name="remove" />
            </button>
          )}
          <QuietButton
            className="whitespace-nowrap"
            disabled={isBusy}
            onClick={() => void writer.saveAndNotify()}
          >
            {isPublished ? '暂存改动' : '保存草稿'}
          </QuietButton>
          <button
            type="button"
            className="button border-0 cursor-pointer whitespace-nowrap"
            disabled={isBusy}
            onClick={() => void writer.publish()}
          >
            {isPublished ? '更新' : '发布'}
          </button>
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

const COUNT_DEBOUNCE_MS = 300;

/** Returns the word count, updated in typing pauses: counting a long text takes some milliseconds. */
function useWords(content: string): number {
  const [count] = useState(createWordCounter);
  const [words, setWords] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setWords(count(content)), COUNT_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [count, content]);
  return words;
}
