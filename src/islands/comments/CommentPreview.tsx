import { use, useEffect, useState } from 'react';
import { amongNames } from '../../lib/contract/rules/names.ts';
import { CommentText } from '../ui/CommentText.tsx';
import { loadInTime } from '../ui/lazy.tsx';
import { People } from './people.ts';

type Render = (source: string, find?: (name: string) => string | undefined) => string;

/** Preview of a comment with a syntax hint. Loads the renderer on first use. */
export default function CommentPreview({ text }: { text: string }) {
  const [render, setRender] = useState<Render | null>(null);
  const people = use(People);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    loadInTime(() => import('../../lib/markdown/comment.ts')).then(
      ({ renderComment }) => setRender(() => renderComment),
      (error: unknown) => {
        console.error(error);
        setFailed(true);
      },
    );
  }, []);
  const shown = text.trim();
  return (
    <section aria-label="预览" className="mt-2 px-3.5 py-2 rounded bg-sunk">
      {hasFailed && (
        <p className="text-sm text-soft">预览没有加载出来，可能是网络不稳。写下的内容不受影响。</p>
      )}
      {render && shown !== '' && (
        <CommentText
          text={shown}
          html={render(
            shown,
            shown.includes('@') ? amongNames(people.map(({ username }) => username)) : undefined,
          )}
        />
      )}
      <p className={`text-sm text-soft ${shown === '' ? '' : 'mt-2'}`}>
        可以写 **粗体**、*强调*、`代码`、&gt; 引用、- 列表、[链接](网址)，用 ``` 围住多行代码；@
        可以提到参与讨论的人。
      </p>
    </section>
  );
}
