import { createHash } from 'node:crypto';
import type { ArticleSource } from '../../../contract/entities.ts';
import { isRefusal, refuse } from '../../../contract/rules/errors.ts';
import { PICTURE_URL } from '../../../contract/rules/pictures.ts';
import { MAX_FILE_BYTES } from '../../../markdown-file/limits.ts';
import { Problem } from '../../../markdown-file/problem.ts';
import { articleUrl } from '../../../shared/urls.ts';
import { toMarkdownFile } from '../../../shared/write-file.ts';
import type { Also } from '../history/revision-service.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { newId } from '../../shared/ids.ts';
import { isMarkdown, resolveAddresses, type ReadFile } from './read-synced-file.ts';
import * as queries from './sync-queries.ts';
import { createSyncReader, type SyncReader } from './sync-reader.ts';
import type { Uses } from '../../services.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { formatMinute } from '../../../shared/time.ts';
import { DAY_MS } from '../../../contract/rules/units.ts';

export type SyncService = ReturnType<typeof createSyncService>;

/** Files of an author's folder: each is one article, by its path, or a picture that articles show. */
export function createSyncService(
  parts: Uses<
    'articles' | 'embedded' | 'files' | 'imports' | 'series' | 'schedules' | 'trash' | 'moderation' | 'quotas'
  > & {
    reader?: SyncReader;
  },
) {
  const { db, articles, embedded, files, imports, series, schedules, trash, moderation, quotas } = parts;
  const { timeZone, now } = parts;
  const { reader = createSyncReader() } = parts;

  /** The file at `path` and its present version, which is null if its article was deleted on the site. */
  async function find(viewer: Viewer, path: string) {
    const place = { owner_id: viewer.id, path };
    const row = await queries.findFile(db.read, place);
    if (!row) return null;
    const stored = await articles.readSource(row.target, viewer).catch((error: unknown) => {
      if (isRefusal(error, 'ARTICLE_NOT_FOUND') || isRefusal(error, 'NOT_YOURS')) return null;
      throw error;
    });
    const isEdited = stored !== null && Date.parse(stored.update_time) !== row.article_time;
    if (!stored) return { row, stored, isEdited, version: null };
    const bytes = isEdited ? await fileOf(viewer, stored) : await queries.bytesOf(db.read, place);
    return { row, stored, isEdited, version: { bytes, etag: digestOf(bytes) } };
  }

  /** As `find`; an article that staff has refused returns from the trash, where it stays refused. */
  async function findRefused(viewer: Viewer, path: string) {
    const found = await find(viewer, path);
    if (!found || found.stored) return found;
    const { target } = found.row;
    if (!(await moderation.withheldAmong('article', [target])).has(target)) return found;
    await trash.restore(target, viewer);
    return find(viewer, path);
  }

  async function fileOf(
    viewer: Viewer,
    { create_time, status, schedule, ...fields }: ArticleSource,
  ): Promise<Uint8Array> {
    const { result } = await series.list(viewer.id, viewer);
    const title = result.find(({ _id }) => _id === fields.series)?.title;
    const facts = {
      date: schedule?.publish_time ?? create_time,
      ...(status === 'draft' && !schedule ? { draft: true } : {}),
      ...(title === undefined ? {} : { series: title }),
    };
    return Buffer.from(toMarkdownFile(fields, facts));
  }

  /** Refuses with FILE_CHANGED if a condition fails, or if an edit on the site would be overwritten. */
  function requireVersion(found: Awaited<ReturnType<typeof find>>, { ifMatch, ifNoneMatch }: Conditions) {
    const etag = found?.version?.etag;
    if (ifMatch === '*' && etag !== undefined) return;
    const isMet = ifMatch === undefined ? !found?.isEdited : ifMatch === etag;
    if (!isMet || (ifNoneMatch === '*' && etag !== undefined)) refuse('FILE_CHANGED');
  }

  /** Reads a file in the author's turn; `SyncReader.read`. */
  async function readFile({ id }: Viewer, { path, bytes, isVault }: Wanted) {
    const files = Buffer.from(bytes).includes('[[') ? await queries.listPaths(db.read, id) : [];
    const pathsOf = (kind: 'article' | 'picture') =>
      files.flatMap((each) => (each.kind === kind ? [each.path] : []));
    const named = { articles: pathsOf('article'), pictures: pathsOf('picture') };
    return reader.read({ path, bytes, isVault, ...named, now: now() }, id);
  }

  async function visibilityOf(id: string, fields: Stated): Promise<Visibility> {
    const state = stateOf(fields);
    const isSeen = state !== 'public' || (await articles.listPublic([id])).length > 0;
    return isSeen ? state : 'pending';
  }

  const replace =
    (row: Parameters<typeof queries.putFile>[1], former: queries.SyncedFile | null): Also =>
    async (trx, waiting) => {
      // A change that waits for staff leaves the article as it was.
      const { update_time: article_time, revision_time } = waiting ?? {
        update_time: row.article_time,
        revision_time: 0,
      };
      if (!(await queries.putFile(trx, { ...row, article_time, revision_time }, former)))
        refuse('FILE_CHANGED');
    };

  async function write(viewer: Viewer, wanted: Wanted, found: Awaited<ReturnType<typeof find>>) {
    const { path, bytes, saved_by } = wanted;
    const file = await readFile(viewer, wanted);
    const known = await queries.targetsOf(db.read, viewer.id, file.needs);
    const missing = file.pictures.filter((each) => known.get(each)?.kind !== 'picture');
    if (missing.length > 0 && !wanted.keepsMissing) return { missing };
    const addressOf = (to: string): string | null => {
      const target = known.get(to);
      if (!target) return null;
      return target.kind === 'picture' ? PICTURE_URL + target.target : articleUrl(target.target);
    };
    const placed =
      file.series === ''
        ? { id: '', loss: null }
        : await imports.series(viewer, file.series, { isDryRun: wanted.isDryRun });
    const stored = found?.stored ?? null;
    const isNote = file.isPlain && wanted.plain === 'draft' && stored?.status !== 'normal';
    const stated = isNote ? { ...file, status: 'draft' as const } : file;
    const plan = planPublication(stated, stored, { now: now(), timeZone });
    const { status, created, scheduled } = plan;
    const resolved = resolveAddresses(file, addressOf);
    const taken = await embedded.take(viewer, resolved.content, wanted);
    const { fields, warnings } = imports.fit({
      ...file.fields,
      ...resolved,
      content: taken.content,
      series: placed.id ?? '',
      status,
    });
    const id = stored?._id ?? newId();
    const time = Math.max(now(), (stored ? Date.parse(stored.update_time) : 0) + 1);
    const etag = digestOf(bytes);
    const row = {
      owner_id: viewer.id,
      path,
      kind: 'article' as const,
      target: id,
      digest: etag,
      article_time: time,
      revision_time: 0,
      needs: JSON.stringify(file.needs),
      is_stale: taken.isUnfinished ? 1 : 0,
      bytes,
    };
    const also = replace(row, found?.row ?? null);
    const schedule = async (trx: Trx) => {
      if (scheduled !== undefined) await schedules.setIn(trx, id, viewer, scheduled);
    };
    const dates = { update_time: time, ...(created === undefined ? {} : { create_time: created }) };
    const notes = [
      ...file.notes,
      ...taken.notes,
      ...plan.notes,
      ...warnings,
      ...(placed.loss === null ? [] : [placed.loss]),
      ...(stored?.moderation === 'hidden' ? ['站务没有让读者看到这篇文章，改动也只有自己看得到'] : []),
    ];
    const told = { etag, notes };
    if (wanted.isDryRun) {
      const outcome = stored ? ('updated' as const) : ('created' as const);
      return { id: stored?._id ?? '', outcome, visibility: stateOf(fields), ...told };
    }
    if (!stored) {
      await articles.create({ ...fields, ...dates, saved_by }, viewer, { id, also, last: schedule });
      return { id, outcome: 'created' as const, visibility: await visibilityOf(id, fields), ...told };
    }
    const edited = { ...fields, id, update_time: stored.update_time, saved_by };
    const saved = await articles.edit(edited, viewer, dates, async (trx, waiting) => {
      await also(trx, waiting);
      await schedule(trx);
    });
    const visibility = 'revision_time' in saved ? 'pending' : await visibilityOf(id, fields);
    return { id, outcome: 'updated' as const, visibility, ...told };
  }

  return {
    /** All files of the viewer, in the order of their paths. */
    async list({ id }: Pick<Viewer, 'id'>) {
      const rows = await queries.listFiles(db.read, id);
      return rows.map(
        ({ path, kind, target, digest, article_time, is_stale, presentTime, status, picture }) => {
          const isGone = kind === 'article' ? presentTime === null : picture === null;
          const isEdited = kind === 'article' && presentTime !== article_time;
          const state = isGone ? ('gone' as const) : isEdited ? ('edited' as const) : ('same' as const);
          return { path, kind, id: target, digest, state, is_stale: is_stale === 1, status };
        },
      );
    },
    /** Returns the file at a path: the bytes that were sent, or after an edit on the site a new file. */
    async read(viewer: Viewer, path: string) {
      return (await find(viewer, path))?.version ?? refuse('FILE_NOT_FOUND');
    },
    /**
     * Creates or updates the article of a path. Refuses with FILE_CHANGED, FIELD_INVALID and as
     * `ArticleService.create` does.
     * @returns `missing`: paths of pictures that must be uploaded first; nothing was changed
     */
    async put(viewer: Viewer, wanted: Wanted) {
      const found = await (wanted.isDryRun ? find : findRefused)(viewer, wanted.path);
      const etag = digestOf(wanted.bytes);
      const isWaiting = wanted.plain === 'publish' && found?.stored?.status === 'draft';
      if (
        !isWaiting &&
        found?.version &&
        !found.isEdited &&
        found.row.is_stale === 0 &&
        found.version.etag === etag
      )
        return {
          id: found.row.target,
          outcome: 'same' as const,
          visibility: await visibilityOf(found.row.target, found.stored),
          etag,
          notes: [],
        };
      requireVersion(found, wanted);
      if (!found?.stored) await quotas.requireSome(viewer, ['articles', 'storage']);
      try {
        return await write(viewer, wanted, found);
      } catch (error) {
        if (isRefusal(error, 'ARTICLE_CHANGED')) refuse('FILE_CHANGED');
        if (error instanceof Problem) refuse('FIELD_INVALID', { text: error.message });
        throw error;
      }
    },
    /** Moves the article of a path to the trash. Refuses with FILE_NOT_FOUND, FILE_CHANGED. */
    async remove(viewer: Viewer, path: string, conditions: Conditions): Promise<void> {
      const found = (await find(viewer, path)) ?? refuse('FILE_NOT_FOUND');
      requireVersion(found, conditions);
      await db.write(async (trx) => {
        if (found.stored) await articles.removeIn(trx, found.stored._id, viewer, found.stored.update_time);
        await queries.deleteFile(trx, { owner_id: viewer.id, path });
      });
    },
    /** Stores a picture at a path; the same bytes are stored once. Refuses as `FileService.saveImage`. */
    async putPicture(viewer: Viewer, path: string, bytes: Uint8Array): Promise<{ url: string }> {
      const digest = digestOf(bytes);
      const known = await queries.findPicture(db.read, viewer.id, digest);
      const save = async () =>
        (await files.saveImage(viewer, (await files.toReadable(bytes, viewer)).bytes)).name;
      const target = known?.target ?? (await save());
      const row = {
        owner_id: viewer.id,
        path,
        kind: 'picture' as const,
        target,
        digest,
        article_time: 0,
        revision_time: 0,
        needs: '[]',
        is_stale: 0,
        bytes: new Uint8Array(),
      };
      await db.write(async (trx) => replace(row, await queries.findFile(trx, row))(trx, null));
      return { url: PICTURE_URL + target };
    },
    close: reader.close,
    isArticle: isMarkdown,
    maxBytes: MAX_FILE_BYTES,
  };
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Publication {
  status: 'normal' | 'draft';
  /** Time of creation of the article, if the file gives one that is past; milliseconds since the epoch. */
  created?: number | undefined;
  /** When the draft shall be published; undefined leaves a schedule as it is. */
  scheduled?: number;
  /** Chinese sentences about a date that has an effect other than the date of the article. */
  notes: string[];
}

/**
 * Decides when the article of a file becomes public: not before the date of the file, and a scheduled one not
 * before its time, unless the file has another date that is past.
 * @throws Problem for a date in the future if the article is published already
 */
function planPublication(
  { status, created }: Pick<ReadFile, 'status' | 'created'>,
  stored: Pick<ArticleSource, 'status' | 'create_time' | 'schedule'> | null,
  { now, timeZone }: { now: number; timeZone: string },
): Publication {
  const isFuture = created !== undefined && created > now;
  const past = isFuture ? undefined : created;
  if (status === 'draft') return { status, created: past, notes: isFuture ? ['日期在将来，没有采用'] : [] };
  const showTime = (time: number) => formatMinute(new Date(time).toISOString(), timeZone);
  if (isFuture) {
    if (stored?.status === 'normal') throw new Problem('文章已经发布，日期不能改到将来');
    return created > now + BOUNDS.scheduleDays * DAY_MS
      ? { status: 'draft', notes: ['日期在一年以后，存为草稿，没有定时发布'] }
      : { status: 'draft', scheduled: created, notes: [`日期在将来，已定时在 ${showTime(created)} 发布`] };
  }
  const planned = Date.parse(
    stored?.schedule?.problem === undefined ? (stored?.schedule?.publish_time ?? '') : '',
  );
  const isKept = planned > now && (past === undefined || past === Date.parse(stored?.create_time ?? ''));
  return stored?.status === 'draft' && isKept
    ? { status: 'draft', created: past, notes: [`文章已定时在 ${showTime(planned)} 发布，没有提前公开`] }
    : { status, created: past, notes: [] };
}

/** Preconditions of a write, from If-Match and If-None-Match: versions (`etag`), or `*`. */
interface Conditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
}

interface Wanted extends Conditions {
  path: string;
  bytes: Uint8Array;
  /** Whether the file is a note of an Obsidian vault. */
  isVault: boolean;
  /** Whether to accept pictures that were not uploaded. */
  keepsMissing: boolean;
  /** State of a new article of a file without front matter; `draft` changes no published article. */
  plain: 'publish' | 'draft' | null;
  /** Whether to tell what would be written, without writing. */
  isDryRun: boolean;
  /** Whether pictures that the text itself contains may be stored. */
  mayUpload: boolean;
  saved_by: string;
}

type Stated = Pick<ArticleSource, 'status' | 'secret'>;
/** Readers of a stored article; `pending`: only its author, until staff approves it. */
type Visibility = 'public' | 'secret' | 'draft' | 'pending';

/** Returns the visibility that the fields of an article state. */
const stateOf = ({ status, secret }: Stated): 'public' | 'secret' | 'draft' =>
  status === 'draft' ? 'draft' : secret ? 'secret' : 'public';
