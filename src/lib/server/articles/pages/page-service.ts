import type { CallInput } from '../../../contract/calls/calls.ts';
import type { PAGE_STATES, PublishedPage, StaffPage } from '../../../contract/calls/page-calls.ts';
import type { AuditAction, AuditFacts } from '../../../contract/rules/audit.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { inTreeOrder, PAGE_TYPE, treeProblem } from '../../../contract/rules/page-tree.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import { editorOf } from '../core/article-access.ts';
import type { Trx } from '../../db/database.ts';
import { newId, toInstant } from '../../shared/ids.ts';
import { makeRoom, takeSlug } from './import-pages.ts';
import * as queries from './page-queries.ts';
import type { Uses } from '../../services.ts';

export type PageService = ReturnType<typeof createPageService>;

/**
 * Pages of the site (decision 0116): articles that are in no list, with a slug and a place in a tree. Their
 * texts are written, scheduled and deleted as articles are.
 */
export function createPageService({ db, articles, audit, events }: Uses<'articles'>) {
  const changed = (trx: Trx, articleIds: string[]) => events.emit(trx, { type: 'pages-changed', articleIds });
  const record = (
    trx: Trx,
    viewer: Viewer,
    { action, id, before, after }: { action: AuditAction; id: string; before: AuditFacts; after: AuditFacts },
  ) => audit.write(trx, { actorId: viewer.id, action, subject: { kind: 'page', id }, before, after });

  return {
    /** Published pages in the order of their tree. */
    async published(): Promise<PublishedPage[]> {
      const rows = inTreeOrder(await queries.listPublished(db.read));
      const former = Map.groupBy(await queries.listFormerSlugs(db.read), ({ article_id }) => article_id);
      return rows.map(({ id, title, slug, parent, update_time }) => ({
        _id: id,
        title,
        slug,
        parent,
        update_time: toInstant(update_time),
        former_slugs: (former.get(id) ?? []).map((each) => each.slug),
      }));
    },

    /** All pages in the order of their tree. */
    async tree(): Promise<StaffPage[]> {
      return inTreeOrder(await queries.listPages(db.read)).map((row) => ({
        _id: row.id,
        title: row.title,
        slug: row.slug,
        parent: row.parent,
        update_time: toInstant(row.update_time),
        create_user: row.username,
        state: stateOf(row),
        ...(row.publish_time === null ? {} : { publish_time: toInstant(row.publish_time) }),
        in_feeds: row.in_feeds === 1,
      }));
    },

    /** Creates a draft at the end of the tree. Refuses with SLUG_TAKEN, and as `articles.create`. */
    async create({ title, slug }: CallInput<'pageCreate'>, viewer: Viewer): Promise<{ id: string }> {
      const id = newId();
      const draft = { title, content: '', tags: [], secret: false, comments_closed: true, type: PAGE_TYPE };
      await articles.create({ ...draft, status: 'draft', is_page: true }, viewer, {
        id,
        also: (trx) => makeRoom(trx, slug, db.engine === 'postgres'),
        last: async (trx) => {
          const position = (await queries.findLastPosition(trx)) + 1;
          await queries.insertPage(trx, { article_id: id, slug, parent_id: '', position });
          await record(trx, viewer, { action: 'page.create', id, before: {}, after: { title, slug } });
        },
      });
      return { id };
    },

    /** Refuses with ARTICLE_NOT_FOUND, SLUG_TAKEN. */
    change: ({ id, slug, in_feeds }: CallInput<'pageChange'>, viewer: Viewer): Promise<void> =>
      db.write(async (trx) => {
        await queries.lockPages(trx, db.engine === 'postgres');
        const page = (await queries.findPage(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
        const before = { title: page.title, slug: page.slug, in_feeds: page.in_feeds === 1 };
        if (page.slug !== slug) {
          await takeSlug(trx, slug);
          await queries.putFormerSlug(trx, { slug: page.slug, article_id: id });
        }
        await queries.changePage(trx, id, { slug, in_feeds: in_feeds ? 1 : 0 });
        await record(trx, viewer, { action: 'page.change', id, before, after: { slug, in_feeds } });
        changed(trx, [id]);
      }),

    /** Sets order and parents of all pages. Refuses with FIELD_INVALID. */
    order: ({ pages }: CallInput<'pageOrder'>, viewer: Viewer): Promise<void> =>
      db.write(async (trx) => {
        await queries.lockPages(trx, db.engine === 'postgres');
        const known = new Set((await queries.listPages(trx)).map(({ id }) => id));
        const problem =
          treeProblem(pages) ??
          (pages.length !== known.size || pages.some(({ id }) => !known.has(id))
            ? '页面在别处增加或删除过，请刷新后再排'
            : null);
        if (problem !== null) refuse('FIELD_INVALID', { text: problem, field: 'pages' });
        await queries.placePages(trx, inTreeOrder(pages));
        const after = { count: pages.length };
        await record(trx, viewer, { action: 'page.order', id: '', before: {}, after });
        changed(trx, []);
      }),

    /** As `editorOf` (articles/core/article-access.ts). */
    editorOf: <V extends Pick<Viewer, 'id' | 'username' | 'role'>>(id: string, viewer: V): Promise<V> =>
      editorOf(db.read, id, viewer),
  };
}

function stateOf({
  status,
  wanted_secret,
  moderation,
  publish_time,
}: Awaited<ReturnType<typeof queries.listPages>>[number]): (typeof PAGE_STATES)[number] {
  if (status === 'draft') return publish_time === null ? 'draft' : 'scheduled';
  if (moderation !== '') return 'withheld';
  return wanted_secret === 1 ? 'secret' : 'published';
}
