import { useEffect, useState } from 'react';
import { firstWords } from '../../../lib/shared/first-words.ts';
import { unfinished } from '../../../lib/stores/draft/draft.ts';
import type { DraftTarget, Unfinished } from '../../../lib/stores/draft/draft-open.ts';
import type { Draft } from '../../../lib/stores/draft/draft-types.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Time } from '../../ui/Time.tsx';
import { TextButton } from '../../ui/Button.tsx';

/**
 * At /write: tells that an earlier text was restored, and links to an empty editor and to other unfinished
 * texts.
 */
export function OtherTexts({ draft, onOpen }: { draft: Draft; onOpen(target: DraftTarget): void }) {
  const [others, setOthers] = useState<readonly Unfinished[]>([]);
  const [isListed, setListed] = useState(false);
  const [isEarlier] = useState(() => {
    const { title, content } = draft.$fields.get();
    return title !== '' || content !== '';
  });
  useEffect(() => {
    // Without the list, the current text can still be edited.
    unfinished().then(setOthers, () => undefined);
  }, []);

  if (!isEarlier && others.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-6 px-5 lg:px-10 pt-2 text-[0.875rem] text-soft">
      {isEarlier && (
        <p>
          接着上次没写完的。
          <TextButton onClick={() => onOpen({ id: null, isFresh: true })}>另写一篇</TextButton>
        </p>
      )}
      {others.length > 0 && (
        <TextButton onClick={() => setListed(true)}>还有 {others.length} 篇没写完</TextButton>
      )}
      <Dialog title="没写完的" isOpen={isListed} onClose={() => setListed(false)}>
        <ul role="list" className="mt-3 text-base">
          {others.map(({ key, id, fields, time, isAside }) => (
            <li key={key}>
              <button
                type="button"
                className="border-0 border-b border-solid border-line flex flex-col items-start w-full px-0 py-3 bg-transparent text-start cursor-pointer [&:hover_bdi]:text-indigo"
                onClick={() => onOpen({ id, key })}
              >
                <bdi className="font-600">{fields.title || '无标题'}</bdi>
                <span className="meta">{firstWords(fields.content) || '还没有正文'}</span>
                <span className="meta">
                  <Time iso={time} />
                  {isAside && <span className="badge ml-2">合并时没用上的</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  );
}
