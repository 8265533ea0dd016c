import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createIdleQueue } from '../writing/idle-queue.ts';
import { anchorsOf, linedPreview, type AnchorGroup } from '../desk/in-step.ts';
import { createPieces, type Pieces } from './preview-pieces.ts';
import { openPreviewer, type Previewer } from './preview.ts';
import { hasLongRun } from '../../../lib/shared/title-runs.ts';
import type { LinedPane } from '../writing/writing.ts';
import { TextButton } from '../../ui/Button.tsx';

/** In addition to the pause before `fields` change (use-writer.ts). */
const DEBOUNCE_MS = 50;
const PROBLEMS = {
  complex: '正文结构过于复杂，无法在限定时间内排版，请简化后再试',
  late: '预览没有加载出来，可能是网络不稳。',
  failed: '预览出了点问题，正文不受影响。',
};

interface Props {
  title: string;
  content: string;
  isShown: boolean;
  onReady(pane: LinedPane | null): void;
}

export function Preview({ title, content, isShown, onReady }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const anchors = useRef<readonly AnchorGroup[]>([]);
  const previewer = useRef<Previewer>(null);
  const [problem, setProblem] = useState<{ kind: keyof typeof PROBLEMS; text: string } | null>(null);

  const reportReady = useEffectEvent(onReady);
  useEffect(() => {
    const [frame, root] = [scroller.current, body.current];
    if (!frame || !root) return undefined;
    let pieces: Pieces | null = null;
    const queue = createIdleQueue();
    const opened = openPreviewer({
      restart: () => queue.add(() => (pieces = null)),
      change: (change) =>
        queue.add(() => {
          if (!pieces) root.replaceChildren();
          pieces ??= createPieces(root);
          pieces.change(change);
        }),
      done: (lines) =>
        queue.add(() => {
          anchors.current = anchorsOf(pieces?.elements() ?? [], lines);
          setProblem(null);
        }),
      fail: (kind, sentence) => queue.add(() => setProblem({ kind, text: sentence ?? PROBLEMS[kind] })),
    });
    previewer.current = opened;
    root.addEventListener('click', followLink);
    reportReady(linedPreview(frame, root, () => anchors.current));
    return () => {
      reportReady(null);
      opened.close();
      queue.clear();
    };
  }, []);

  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => previewer.current?.render(content), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [content, isShown]);

  return (
    <div ref={scroller} className="preview-scroller">
      <article className="preview">
        <h2 className={`page-title ${hasLongRun(title) ? '[word-break:normal]' : ''}`}>
          <bdi>{title.trim() || '无标题'}</bdi>
        </h2>
        {problem && (
          <p role="alert" className="mt-4 text-sm text-soft">
            {problem.text}
            {problem.kind === 'late' && (
              <TextButton onClick={() => previewer.current?.render(content)}>重试</TextButton>
            )}
          </p>
        )}
        {content.trim() === '' && <p className="mt-8 text-soft">写下的文字会在这里排好，和发布后一样。</p>}
        <div ref={body} className="preview-body" />
      </article>
    </div>
  );
}

/**
 * Keeps links from navigating away from the editor: fragment links scroll the preview, other links open a new
 * tab.
 */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  const href = link?.getAttribute('href');
  if (!link || !href) return;
  event.preventDefault();
  if (!href.startsWith('#')) return void window.open(href, '_blank', 'noopener');
  let id = href.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not percent-encoded.
  }
  const article = link.closest('.preview-body');
  article?.querySelector(`[id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
}
