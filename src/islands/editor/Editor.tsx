import { useEffect, useState, type ReactNode } from 'react';
import { isCallError } from '../../lib/client/call-error.ts';
import { goToSignIn } from '../../lib/stores/api.ts';
import { openDraft } from '../../lib/stores/draft/draft.ts';
import type { DraftTarget } from '../../lib/stores/draft/draft-open.ts';
import type { Draft } from '../../lib/stores/draft/draft-types.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { island } from '../ui/island.tsx';
import { Desk } from './desk/Desk.tsx';
import { OtherTexts } from './history/OtherTexts.tsx';
import { MainButton } from '../ui/Button.tsx';

interface Props {
  /** The article to edit; null for a new article. */
  id: string | null;
  /** Hosts whose pictures are imported on paste (PICTURE_HOSTS). */
  pictureHosts: readonly string[];
  children?: ReactNode;
}

type Opening = { draft: Draft } | { problem: unknown } | null;

export default island(function Editor({ id, pictureHosts, children }: Props) {
  const [target, setTarget] = useState<DraftTarget>({ id });
  const [opening, setOpening] = useState<Opening>(null);

  useEffect(() => {
    let isOver = false;
    let opened: Draft | undefined;
    // Subscribes while the editor is open, which keeps `$session.get()` current.
    const unlisten = $session.listen(() => undefined);
    // The server renders this page before it is known whether the reader is signed in.
    if (!$session.get()) goToSignIn();
    else {
      openDraft(target).then(
        (draft) => {
          opened = draft;
          if (isOver) void draft.close();
          else setOpening({ draft });
        },
        (problem: unknown) => {
          if (!isOver) setOpening({ problem });
        },
      );
    }
    return () => {
      isOver = true;
      unlisten();
      void opened?.close();
    };
  }, [target]);

  const open = (next: DraftTarget) => {
    setOpening(null);
    setTarget(next);
  };
  if (opening && 'draft' in opening) {
    const others = id === null && <OtherTexts draft={opening.draft} onOpen={open} />;
    return <Desk draft={opening.draft} notice={others} pictureHosts={pictureHosts} />;
  }
  if (opening && !isCallError(opening.problem, 'signed-out')) {
    return <NotOpened problem={opening.problem} onRetry={() => open({ ...target })} />;
  }
  return children;
});

function NotOpened({ problem, onRetry }: { problem: unknown; onRetry(): void }) {
  const isRefused = isCallError(problem, 'refused');
  return (
    <div className="column page-head" role="alert">
      <p className="page-title">{isRefused ? '打不开这篇文章' : '没有加载出来'}</p>
      <p className="mt-4 text-soft">{isCallError(problem) ? problem.message : '请再试一次。'}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        {!isRefused && <MainButton onClick={onRetry}>再试一次</MainButton>}
        <a href="/user/list" className="button-quiet">
          我的文章
        </a>
        <a href="/write" className="button-quiet">
          写新文章
        </a>
      </p>
    </div>
  );
}
