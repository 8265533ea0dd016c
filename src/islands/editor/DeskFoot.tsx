import { useEffect, useState, type Ref } from 'react';
import { isOffered } from '../../lib/client/offered.ts';
import type { Draft } from '../../lib/stores/draft.ts';
import { countWords } from './counts.ts';
import { Icon } from './Icon.tsx';
import { SaveStatus } from './SaveStatus.tsx';
import { Uploads } from './Uploads.tsx';
import type { Writer } from './use-writer.ts';

interface Props {
  draft: Draft;
  writer: Writer;
  onConflict(): void;
  ref: Ref<HTMLDivElement>;
}

/** Under the text: whether it is safe, how long it is, and what becomes of it. */
export function DeskFoot({ draft, writer, onConflict, ref }: Props) {
  const { fields, isBusy, isPublished } = writer;
  const words = useWords(fields.content);
  return (
    <div ref={ref} className="desk-foot">
      <Uploads />
      <div className="flex items-center gap-3">
        <div className="desk-facts">
          <SaveStatus draft={draft} onConflict={onConflict} />
          <p className="whitespace-nowrap tabular-nums">{words.toLocaleString('zh-CN')} 字</p>
        </div>
        <div className="flex items-center gap-2">
          {isOffered('articleDelete') && (
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
          <button
            type="button"
            className="button-quiet bg-transparent cursor-pointer whitespace-nowrap"
            disabled={isBusy}
            onClick={() => void writer.saveAndTell()}
          >
            {isPublished ? '暂存改动' : '保存草稿'}
          </button>
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
    </div>
  );
}

const PAUSE_MS = 300;

/** The number of words, counted in pauses: a long text takes some milliseconds. */
function useWords(content: string): number {
  const [words, setWords] = useState(() => countWords(content));
  useEffect(() => {
    const timer = setTimeout(() => setWords(countWords(content)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [content]);
  return words;
}
