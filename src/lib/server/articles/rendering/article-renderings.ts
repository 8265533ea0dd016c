import { quoteArticle } from '../../../markdown/quoted-article.ts';
import type { NewArticle } from '../../../contract/article-fields.ts';
import { isRefusal, isTemporary } from '../../../contract/rules/errors.ts';
import { MAX_PAGE_BYTES } from '../../../markdown/limits.ts';
// Imported without the renderer, which this thread never needs and which takes a tenth of the process's
// memory.
import { RENDERER_VERSION } from '../../../markdown/version.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import { announceChange } from '../core/article-change.ts';
import * as queries from '../core/article-queries.ts';
import type { Reader } from '../../db/visibility.ts';
import { SITE_OWNER } from './renderer.ts';
import type { AppParts } from '../../services.ts';

/** Columns of a rendering; `renderer_version` is RENDERER_VERSION, NOT_RENDERED or TOO_COMPLEX. */
export type StoredRendering = Omit<queries.BodyValues, 'content'> & { summary: string };

/** A rendering with the attribute texts that moderation also judges (`Rendered.attributes`). */
type SavedRendering = StoredRendering & { attributes: string };
export const UNRENDERED: StoredRendering = {
  html: Buffer.alloc(0),
  toc: '[]',
  summary: '',
  text: '',
  words: 0,
  renderer_version: queries.NOT_RENDERED,
};
const ROW_BATCH_SIZE = 20;

/** Returns the text and the HTML of an article as readers see them. */
export const textIn = ({ text, html }: Pick<StoredRendering, 'text' | 'html'>) => ({
  text,
  html: Buffer.from(html).toString(),
});

/**
 * Renders articles when they are published, drafts when first read, and both again after a renderer update.
 */
export function createArticleRenderings({
  db,
  renderer,
  events,
}: Pick<AppParts, 'db' | 'events' | 'renderer'>) {
  async function renderWhole(source: string, owner: string): Promise<SavedRendering> {
    const { html, toc, ...rest } = await renderer.render(source, owner);
    const renderer_version = RENDERER_VERSION;
    return { ...rest, html: Buffer.from(html), toc: JSON.stringify(toc), renderer_version };
  }
  async function render(source: string, owner: string): Promise<StoredRendering> {
    const { attributes: _, ...stored } = await renderWhole(source, owner);
    return stored;
  }

  /**
   * Renders with the current renderer. If it refuses, returns the former rendering, or the quoted source if
   * the former is missing or too large for a page. The result has the current version: only the next renderer
   * retries. Temporary refusals are thrown.
   */
  async function renderAgain({ id, content }: { id: string; content: string }): Promise<StoredRendering> {
    try {
      return await render(content, SITE_OWNER);
    } catch (error) {
      if (!isRefusal(error, 'CONTENT_TOO_COMPLEX') || isTemporary(error)) throw error;
      const renderer_version = RENDERER_VERSION;
      const former = { ...UNRENDERED, ...(await queries.findRendering(db.read, id)), renderer_version };
      const bytes = former.html.length + 2 * Buffer.byteLength(former.toc);
      if (former.html.length > 0 && bytes <= MAX_PAGE_BYTES) return former;
      const { html, summary, words } = quoteArticle(content);
      return {
        html: Buffer.from(html),
        toc: '[]',
        summary: former.summary || summary,
        text: former.text || content,
        words,
        renderer_version,
      };
    }
  }

  return {
    /** Returns the rendering that a save stores: an empty one for a draft. Refuses as `Renderer.render`. */
    async ofSaved(input: Pick<NewArticle, 'content' | 'status'>, author: Viewer): Promise<SavedRendering> {
      if (input.status === 'draft') return { ...UNRENDERED, attributes: '' };
      return renderWhole(input.content, author.id);
    },

    /** Returns an earlier text of an article as readers saw it; null if it cannot be rendered. */
    ofApproved: (content: string): Promise<ReturnType<typeof textIn> | null> =>
      render(content, SITE_OWNER).then(textIn, () => null),

    /**
     * Returns the rendering of a restored article; TOO_COMPLEX, without HTML, if the renderer refuses it.
     * @throws temporary refusals
     */
    async ofFormer(content: string): Promise<StoredRendering> {
      try {
        return await render(content, SITE_OWNER);
      } catch (error) {
        if (!isRefusal(error, 'CONTENT_TOO_COMPLEX') || isTemporary(error)) throw error;
        return { ...UNRENDERED, renderer_version: queries.TOO_COMPLEX };
      }
    },

    /**
     * Renders a draft for its author and stores the result, even TOO_COMPLEX, unless the draft has changed
     * meanwhile. Returns null if the draft no longer exists.
     * @throws UNAVAILABLE when the render queue, or this author's share of it, is full
     */
    async ofDraft(id: string, author: Reader): Promise<StoredRendering | null> {
      const draft = await queries.findArticle(db.read, id, author);
      if (!draft) return null;
      let rendering: StoredRendering;
      try {
        rendering = await render(draft.content, author.id);
      } catch (error) {
        if (!isRefusal(error, 'CONTENT_TOO_COMPLEX')) throw error;
        rendering = { ...UNRENDERED, renderer_version: queries.TOO_COMPLEX };
        if (isTemporary(error)) return rendering;
      }
      try {
        await db.write(async (trx) => {
          const stored = await queries.findState(trx, id);
          if (stored?.update_time === draft.update_time) await queries.putRendering(trx, id, rendering);
        });
      } catch (error) {
        // Storing only saves the next reader's wait, so a full disk does not prevent reading.
        if (!isRefusal(error, 'STORAGE_FULL')) throw error;
      }
      return rendering;
    },

    /**
     * Re-renders the articles of older renderers until `isStopping` returns true or a rendering is refused
     * temporarily; returns their number.
     */
    async renewOutdated(isStopping: () => boolean): Promise<number> {
      let renewed = 0;
      for (;;) {
        const outdated = await queries.listOutdated(db.read, RENDERER_VERSION, ROW_BATCH_SIZE);
        if (outdated.length === 0 || isStopping()) return renewed;
        for (const row of outdated) {
          const rendering = await renderAgain(row).catch((error: unknown) => {
            if (isTemporary(error)) return null;
            throw error;
          });
          if (rendering === null) return renewed;
          await db.write(async (trx) => {
            const before = await queries.findState(trx, row.id);
            if (before?.update_time !== row.update_time) return;
            await queries.putRendering(trx, row.id, rendering);
            await announceChange(trx, events, before, { ...before, summary: rendering.summary });
          });
          renewed++;
        }
      }
    },
  };
}
