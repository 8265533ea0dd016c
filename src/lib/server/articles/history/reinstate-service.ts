import type { Selectable } from 'kysely';
import { listExcerpt } from '../../../markdown/excerpt.ts';
import type { Trx } from '../../db/database.ts';
import { knownIds } from '../../db/lists.ts';
import { continueSequences } from '../../db/move-rows.ts';
import type {
  ArticleRevisionsTable,
  ArticleSchedulesTable,
  ArticlesTable,
  ArticleVersionsTable,
  AuthoredColumns,
  TrashTable,
} from '../../db/schema/schema.ts';
import type { WithheldItemsTable } from '../../db/schema/moderation-schema.ts';
import { TOO_COMPLEX } from '../core/article-queries.ts';
import {
  createArticleRenderings,
  UNRENDERED,
  type StoredRendering,
} from '../rendering/article-renderings.ts';
import * as queries from './reinstate-queries.ts';
import { putRevision } from './revision-queries.ts';
import { isSlugFree, listFreeSlugs } from '../slugs/settle-slug.ts';
import { claimSlug } from '../slugs/slug-queries.ts';
import { putPictureUses } from '../core/usage-queries.ts';
import { addVersionBytes } from './version-queries.ts';
import type { Uses } from '../../services.ts';
import { idsIn } from '../../shared/ids.ts';

type Derived = 'seq' | 'is_public' | 'excerpt' | 'has_more' | 'summary' | 'address';

/** An article as it was, in full; everything derived from its text is recomputed. */
export interface FormerArticle {
  row: Omit<Selectable<ArticlesTable>, Derived> & AuthoredColumns;
  author: string;
  /** Used if it is free; otherwise the article is added last. */
  seq: number | undefined;
  isRendered: boolean;
  trash: Pick<TrashTable, 'status' | 'trash_time'> | null;
  schedule: Pick<ArticleSchedulesTable, 'publish_time' | 'problem'> | null;
  page: queries.FormerPage | null;
  withheld: Omit<WithheldItemsTable, 'kind' | 'id'> | null;
  revision: Omit<ArticleRevisionsTable, 'article_id'> | null;
  /** Slugs that it has or had, the present one first; those that another article has are skipped. */
  slugs: readonly string[];
  /** Paths that another article has are skipped. */
  formerPaths: readonly string[];
}

/** `too-complex`: stored, but cannot be rendered. */
export type Reinstated = 'created' | 'too-complex' | 'same' | 'differs';
export type ReinstateService = ReturnType<typeof createReinstateService>;

/** Restores articles with their ids, times, places and counters. Search engines are not notified. */
export function createReinstateService(parts: Uses<'renderer' | 'quotas' | 'origins' | 'applyVisibility'>) {
  const { db, renderer, quotas, origins, applyVisibility, events } = parts;
  const renderings = createArticleRenderings({ db, renderer, events });

  async function insert(trx: Trx, former: FormerArticle, rendering: StoredRendering): Promise<void> {
    const { content, ...authored } = former.row;
    const { id, author_id } = authored;
    const excerpt = listExcerpt(content);
    const { summary, ...body } = rendering;
    const slugs = await listFreeSlugs(trx, former.slugs, id);
    const row = {
      ...authored,
      is_public: authored.status === 'normal' && authored.secret === 0 ? (1 as const) : (0 as const),
      excerpt: excerpt.content,
      has_more: excerpt.showMore ? (1 as const) : (0 as const),
      summary,
      slug: (await isSlugFree(trx, authored.slug, id)) ? authored.slug : '',
      address: slugs[0] !== undefined && slugs[0] === former.slugs[0] ? slugs[0] : '',
    };
    const { seq, trash, schedule, withheld, revision } = former;
    const isPlaced = seq !== undefined && (await queries.isFree(trx, seq));
    await queries.insertRows(trx, {
      article: { ...row, ...(isPlaced ? { seq } : {}) },
      body: { article_id: id, content, ...body },
      trash: trash && { article_id: id, author_id, ...trash },
      schedule: schedule && { article_id: id, author_id, ...schedule },
      withheld: withheld && { kind: 'article', id, ...withheld },
    });
    if (isPlaced) await continueSequences(trx, db.engine);
    for (const slug of slugs) await claimSlug(trx, slug, id);
    await queries.insertFormerPaths(trx, id, former.formerPaths);
    if (row.is_page === 1) await queries.insertFormerPage(trx, id, former.page);
    await putPictureUses(trx, 'article', { id, authorId: author_id, content, cover: authored.cover });
    if (revision) {
      await putRevision(trx, { article_id: id, ...revision });
      await putPictureUses(trx, 'revision', { id, authorId: author_id, ...revision });
    }
    const bytes = Buffer.byteLength(content) + Buffer.byteLength(revision?.content ?? '');
    await quotas.store(trx, { id: author_id, isUnlimited: true }, bytes);
    if (row.status === 'cancel') return;
    if (row.status === 'normal') await origins.note(trx, 'article', id, { id: author_id, origin: 'import' });
    const author = { id: author_id, username: former.author, isUnlimited: true };
    await applyVisibility(trx, null, row, { author, rendering, isUntold: true });
  }

  async function look({ row }: FormerArticle): Promise<'same' | 'differs' | null> {
    const stored = await queries.findStored(db.read, row.id);
    if (!stored) return null;
    const isSame =
      stored.author_id === row.author_id &&
      stored.update_time === row.update_time &&
      stored.status === row.status &&
      stored.content === row.content;
    return isSame ? 'same' : 'differs';
  }

  return {
    /** Restores an article completely or not at all; an existing article stays unchanged. */
    async put(former: FormerArticle, { isDryRun }: { isDryRun: boolean }): Promise<Reinstated> {
      const found = await look(former);
      if (found) return found;
      const rendering = former.isRendered ? await renderings.ofFormer(former.row.content) : UNRENDERED;
      if (!isDryRun) await db.write((trx) => insert(trx, former, rendering));
      return rendering.renderer_version === TOO_COMPLEX ? 'too-complex' : 'created';
    },

    /** Adds the missing earlier texts of an article; returns their number. */
    async putVersions(
      authorId: string,
      versions: readonly ArticleVersionsTable[],
      { isDryRun }: { isDryRun: boolean },
    ): Promise<number> {
      const known = await knownIds(db.read, 'article_versions', idsIn(versions));
      const fresh = versions.filter(({ id }) => !known.has(id));
      if (fresh.length === 0 || isDryRun) return fresh.length;
      await db.write(async (trx) => {
        await queries.insertVersions(trx, fresh);
        for (const version of fresh) await putPictureUses(trx, 'version', { authorId, ...version });
        await addVersionBytes(
          trx,
          authorId,
          fresh.reduce((sum, { bytes }) => sum + bytes, 0),
        );
      });
      return fresh.length;
    },

    /** Adds reads that are not counted yet; skips those of missing articles. */
    putReads: (rows: Parameters<typeof queries.insertReads>[1]): Promise<void> =>
      db.write(async (trx) => {
        const known = await knownIds(trx, 'articles', [...new Set(rows.map(({ article }) => article))]);
        await queries.insertReads(
          trx,
          rows.filter(({ article }) => known.has(article)),
        );
      }),
  };
}
