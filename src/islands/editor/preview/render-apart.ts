import { openPreviewer } from './preview.ts';
import { createPieces, type Pieces } from './preview-pieces.ts';

/** Rendering failure with a Chinese message. */
export class NotRendered extends Error {
  override name = 'NotRendered';
}

/**
 * Renders texts in a separate worker, independent of the preview, one after the other.
 * @returns `render` resolves to the elements of an article, which the caller owns, and rejects with
 *   `NotRendered`. `close` terminates the worker
 */
export function renderApart(): { render(source: string): Promise<Element[]>; close(): void } {
  let pieces: Pieces | null = null;
  let waiting: PromiseWithResolvers<Element[]> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const previewer = openPreviewer({
    restart: () => (pieces = null),
    change(change) {
      pieces ??= createPieces(document.createElement('div'));
      pieces.change(change);
    },
    done() {
      const shown = pieces?.elements().flatMap(({ elements }) => elements) ?? [];
      waiting?.resolve(shown.map((element) => element.cloneNode(true) as Element));
    },
    fail(kind, sentence) {
      const reason = kind === 'late' ? '排版没有加载出来，可能是网络不稳' : '正文没能排版';
      waiting?.reject(new NotRendered(sentence ?? reason));
    },
  });
  return {
    render(source) {
      const next = last.then(() => {
        waiting = Promise.withResolvers();
        previewer.render(source);
        return waiting.promise;
      });
      last = next.catch(() => undefined);
      return next;
    },
    close: () => previewer.close(),
  };
}
