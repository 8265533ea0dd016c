import { useMemo } from 'react';

interface Props {
  /** The island's slot, components/CommentList.astro. */
  markup: string;
  /** Something stands above it already, so that it is no longer true that there is nothing. */
  isEmptyHidden: boolean;
  /** Asks for the present list again; null where nothing has failed. */
  onRetry: (() => void) | null;
}

/** The list as the server printed it, until the present one has arrived. */
export function ServerList({ markup, isEmptyHidden, onRetry }: Props) {
  const list = useMemo(() => {
    const part = new DOMParser().parseFromString(markup, 'text/html').querySelector('[data-comments]');
    return { html: part?.innerHTML ?? '', isEmpty: !part?.querySelector('li') };
  }, [markup]);
  return (
    <>
      {!(list.isEmpty && isEmptyHidden) && (
        <div data-comments dangerouslySetInnerHTML={{ __html: list.html }} />
      )}
      {onRetry && (
        <p role="alert" className="text-sm text-soft">
          没能取得最新的评论。
          <button type="button" className="button-text" onClick={onRetry}>
            重试
          </button>
        </p>
      )}
    </>
  );
}
