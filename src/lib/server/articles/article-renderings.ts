import { quoteArticle } from '../../markdown/quoted-article.ts';
import type { NewArticle } from '../../contract/article-fields.ts';
import { isRefusal } from '../../contract/errors.ts';
import { MAX_PAGE_BYTES } from '../../markdown/limits.ts';
// Apart from the renderer, which this thread never needs and which is a tenth of the process.
import { RENDERER_VERSION } from '../../markdown/version.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { announceChange } from './article-change.ts';
import * as queries from './article-queries.ts';
import type { Reader } from '../db/visibility.ts';
import { SITE_OWNER, type Renderer } from './renderer.ts';

/** What is stored of a rendering; `toc` is JSON, `version` RENDERER_VERSION, NOT_RENDERED or TOO_COMPLEX. */
export interface StoredRendering {
  html: Uint8Array;
  toc: string;
  summary: string;
  text: string;
  words: number;
  version: number;
}

/** A rendering with what is judged besides (`Rendered.attributes`). */
export type SavedRendering = StoredRendering & { attributes: string };

interface Parts {
  db: Database;
  renderer: Renderer;
  events: Events;
}

const NOTHING = { html: Buffer.alloc(0), toc: '[]', summary: '', text: '', words: 0 };
const ROWS_AT_ONCE = 20;

export type ArticleRenderings = ReturnType<typeof createArticleRenderings>;

/** Renders articles when published, drafts when first read, and both again by a newer renderer. */
export function createArticleRenderings({ db, renderer, events }: Parts) {
  async function renderWhole(source: string, owner: string): Promise<SavedRendering> {
    const { html, toc, ...rest } = await renderer.render(source, owner);
    return { ...rest, html: Buffer.from(html), toc: JSON.stringify(toc), version: RENDERER_VERSION };
  }
  async function render(source: string, owner: string): Promise<StoredRendering> {
    const { attributes: _, ...stored } = await renderWhole(source, owner);
    return stored;
  }

  /**
   * By the renderer of now; where it refuses, what was shown before, or else, or if too much for a page, the
   * text as typed. Marked with the version of now: only the next renderer tries again.
   */
  async function renderAgain({ id, content }: { id: string; content: string }): Promise<StoredRendering> {
    try {
      return await render(content, SITE_OWNER);
    } catch (error) {
      if (!isRefusal(error, 'CONTENT_TOO_COMPLEX')) throw error;
      const former = { ...NOTHING, ...(await queries.findRendering(db.read, id)), version: RENDERER_VERSION };
      const bytes = former.html.length + 2 * Buffer.byteLength(former.toc);
      if (former.html.length > 0 && bytes <= MAX_PAGE_BYTES) return former;
      const { html, summary, words } = quoteArticle(content);
      return {
        html: Buffer.from(html),
        toc: '[]',
        summary: former.summary || summary,
        text: former.text || content,
        words,
        version: RENDERER_VERSION,
      };
    }
  }

  return {
    /** What a save stores: nothing yet for a draft, which waits for none. Refuses as `Renderer.render`. */
    async ofSaved(input: Pick<NewArticle, 'content' | 'status'>, author: Viewer): Promise<SavedRendering> {
      if (input.status === 'draft') return { ...NOTHING, attributes: '', version: queries.NOT_RENDERED };
      return renderWhole(input.content, author.id);
    },

    /** What is stored of an article that is brought back; TOO_COMPLEX, without HTML, where it is refused. */
    async ofFormer(content: string): Promise<StoredRendering> {
      try {
        return await render(content, SITE_OWNER);
      } catch (error) {
        if (!isRefusal(error, 'CONTENT_TOO_COMPLEX')) throw error;
        return { ...NOTHING, version: queries.TOO_COMPLEX };
      }
    },

    /**
     * Renders a draft its author reads, and stores that unless it changed meanwhile; remembers if too
     * complex. Null where there is no such draft any more.
     * @throws UNAVAILABLE when the author, or everybody, has too much waiting
     */
    async ofDraft(id: string, author: Reader): Promise<StoredRendering | null> {
      const draft = await queries.findArticle(db.read, id, author);
      if (!draft) return null;
      let rendering: StoredRendering;
      try {
        rendering = await render(draft.content, author.id);
      } catch (error) {
        if (!isRefusal(error, 'CONTENT_TOO_COMPLEX')) throw error;
        rendering = { ...NOTHING, version: queries.TOO_COMPLEX };
        // Only the clock said so: the next reader may have more luck.
        if (error.retryAfter !== undefined) return rendering;
      }
      try {
        await db.write(async (trx) => {
          const stored = await queries.findState(trx, id);
          if (stored?.update_time === draft.update_time) await queries.putRendering(trx, id, rendering);
        });
      } catch (error) {
        // To be stored saves the next reader's wait; a full disk keeps nobody from reading.
        if (!isRefusal(error, 'STORAGE_FULL')) throw error;
      }
      return rendering;
    },

    /** Renews what an older renderer made, until `isStopping` says so; returns how many were. */
    async renewOutdated(isStopping: () => boolean): Promise<number> {
      let renewed = 0;
      for (;;) {
        const outdated = await queries.listOutdated(db.read, RENDERER_VERSION, ROWS_AT_ONCE);
        if (outdated.length === 0 || isStopping()) return renewed;
        for (const row of outdated) {
          const rendering = await renderAgain(row);
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
