import { createHash } from 'node:crypto';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse, isRefusal } from '../../../contract/rules/errors.ts';
import type { NavEntry } from '../../../contract/rules/navigation.ts';
import { FORMAT_BYTES, formatOf, PICTURES, unreadableText } from '../../../contract/rules/pictures.ts';
import {
  listImportedUsers,
  findSources,
  insertSource,
  insertImports,
  findCommentAuthor,
} from './import-queries.ts';
import type { Uses } from '../../services.ts';
import type { User } from '../../../contract/entities.ts';
import { foldName } from '../../../contract/rules/names.ts';
import { newId } from '../../shared/ids.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { knownIds, type Identified } from '../../db/lists.ts';
import type { NewArticle } from '../../../contract/article-fields.ts';
import { toRecord, type ImportRecord, type Saved } from './import-service.ts';
import type { PlannedPage } from '../pages/import-pages.ts';
import type { Added } from '../../redirects/former-path-service.ts';
import type { ForeignComment } from '../../comments/comment-service.ts';

export type SiteImportService = ReturnType<typeof createSiteImportService>;
export type SiteImport = ReturnType<SiteImportService['open']>;

/**
 * Imports the site of another product. Each item and its record share a transaction: after a kill at any
 * moment the next run continues, and a known item is not imported again. See
 * docs/features/importing-sites.md.
 */
export function createSiteImportService(parts: SiteImportParts) {
  const { db, imports, files } = parts;

  return {
    /** @param identity identifies the site; the same in every run */
    open({ identity, isDryRun }: { identity: string; isDryRun: boolean }) {
      const digest = createHash('sha256').update(identity).digest('hex');
      const run = { prefix: `site:${digest.slice(0, 32)}:`, isDryRun };
      return {
        async people(): Promise<Map<string, Person>> {
          const prefix = `${run.prefix}user:`;
          const rows = await listImportedUsers(db.read, prefix);
          return new Map(
            rows.map(({ source, id, username, avatar, digest }) => {
              const lacksAvatar = avatar === '' && digest === MADE;
              return [source.slice(prefix.length), { id, username, lacksAvatar }] as const;
            }),
          );
        },

        addNavigation: (entries: readonly NavEntry[]) => imports.addNavigation(entries, run),
        addFriends: (friends: Parameters<typeof imports.addFriends>[0]) => imports.addFriends(friends, run),

        ...createSitePeople(parts, run),
        ...createSiteArticles(parts, run),
        ...createSiteComments(parts, run),

        /**
         * Stores a picture for a person's articles, deduplicated by content; returns the name of the file.
         * Refuses as `FileService.saveImage`.
         */
        async storePicture(owner: Person, bytes: Uint8Array): Promise<string> {
          const hash = createHash('sha256').update(bytes).digest('hex');
          const unlimited = { id: owner.id, isUnlimited: true };
          return (await imports.saveImage(unlimited, { hash, bytes }, { isDryRun })).name;
        },

        /** Sets an account's avatar. Refuses as `FileService.saveAvatar`. */
        async storeAvatar(owner: Person, bytes: Uint8Array): Promise<void> {
          if (isDryRun) checkAvatar(bytes);
          else await files.storeAvatar({ id: owner.id, isUnlimited: true }, bytes);
        },
      };
    },
  };
}

/** Refuses data that is plainly not an avatar, with BODY_TOO_LARGE or IMAGE_UNREADABLE. */
function checkAvatar(bytes: Uint8Array): void {
  const start = bytes.subarray(0, FORMAT_BYTES);
  const format = formatOf(start);
  if (bytes.length > BOUNDS.imageBytes) refuse('BODY_TOO_LARGE');
  if (!PICTURES.avatar.formats.some((known) => known === format))
    refuse('IMAGE_UNREADABLE', { text: unreadableText('avatar', start) });
}

type SiteImportParts = Uses<'users' | 'tags' | 'series' | 'imports' | 'comments' | 'files'>;

/** A local account that represents one of the other site. */
export interface Person {
  id: string;
  username: string;
  /** The import created the account, and its avatar is still missing. */
  lacksAvatar?: boolean;
}

/** A run for one site. `isDryRun`: nothing is written, but every result is as in a real run. */
interface SiteRun {
  prefix: string;
  isDryRun: boolean;
}

interface ImportedUser {
  key: string;
  id?: string | undefined;
  username: string;
  passwordHash: string;
  gender: User['gender'];
  bio: string;
  created?: number | undefined;
}

/** A tag or series of another site; `ownerId` is an account of this site. */
interface Imported {
  key: string;
  id?: string | undefined;
  ownerId: string;
  description: string;
  created?: number | undefined;
  updated?: number | undefined;
}
interface ImportedTag extends Imported {
  name: string;
}
interface ImportedSeries extends Imported {
  title: string;
  cover: string;
}

/** Digest in `imports` of an account that was created rather than found. */
const MADE = 'made:';

/**
 * Returns a function that gives each of the ids `wanted` once, if it is valid and free, and otherwise a new
 * id.
 */
async function openIds(db: Queryable, table: Identified, wanted: readonly (string | undefined)[]) {
  const valid = wanted.flatMap((id = '') => (/^[0-9a-f]{24}$/.test(id) ? [id] : []));
  const free = new Set(valid).difference(await knownIds(db, table, valid));
  return (id = '') => (free.delete(id) ? id : newId());
}

async function idFor(db: Queryable, table: Identified, id = ''): Promise<string> {
  const wanted = id.toLowerCase();
  return (await openIds(db, table, [wanted]))(wanted);
}

function createSitePeople(parts: SiteImportParts, { prefix, isDryRun }: SiteRun) {
  const { db, users, tags, series, now } = parts;
  const imagined = new Set<string>();
  const remember = (kind: string, key: string, id: string, ownerId: string, digest = 'taken:') => ({
    owner_id: ownerId,
    source: `${prefix}${kind}:${key}`,
    article_id: id,
    digest,
  });

  return {
    /** Returns the local account of that name, ignoring case and character width, or null. */
    async findPerson(username: string): Promise<Person | null> {
      const user = await users.find(username);
      return user && { id: user._id, username: user.username };
    },

    async mapPerson(key: string, person: Person): Promise<void> {
      if (!isDryRun) await db.write((trx) => insertSource(trx, remember('user', key, person.id, person.id)));
    },

    async addPerson({ key, created = now(), ...user }: ImportedUser): Promise<Person> {
      if (isDryRun) {
        const username = await users.foreseeName(user.username, { imagined });
        imagined.add(foldName(username));
        return { id: await idFor(db.read, 'users', user.id), username };
      }
      return db.write(async (trx) => {
        const id = await idFor(trx, 'users', user.id);
        const username = await users.import(trx, { ...user, id, created });
        await insertSource(trx, remember('user', key, id, id, MADE));
        return { id, username };
      });
    },

    /** Adds a tag of the other site; returns whether the name was new. */
    async addTag({ key, ownerId, ...tag }: ImportedTag): Promise<boolean> {
      const source = `${prefix}tag:${key}`;
      if ((await findSources(db.read, [source])).has(source)) return false;
      if (isDryRun) return !(await tags.isListed(tag.name));
      return db.write(async (trx) => {
        const id = await idFor(trx, 'tags', tag.id);
        const create_time = tag.created ?? now();
        const update_time = tag.updated ?? create_time;
        const { name, description } = tag;
        const row = { id, name, description, creator_id: ownerId, create_time, update_time };
        const isNew = await tags.import(trx, row);
        await insertSource(trx, remember('tag', key, id, ownerId));
        return isNew;
      });
    },

    /** Adds or finds a series of the other site; returns its id, or null if its owner has too many. */
    async addSeries(imported: ImportedSeries): Promise<{ id: string; isNew: boolean } | null> {
      const { key, ownerId, title, description, cover, created = now(), updated = created } = imported;
      const source = `${prefix}series:${key}`;
      const known = (await findSources(db.read, [source])).get(source);
      if (known) return { id: known.article_id, isNew: false };
      if (isDryRun) return { id: newId(), isNew: true };
      try {
        return await db.write(async (trx) => {
          const id = await idFor(trx, 'series', imported.id);
          const times = { create_time: created, update_time: updated };
          await series.import(trx, { id, author_id: ownerId, title, description, cover, ...times });
          await insertSource(trx, remember('series', key, id, ownerId));
          return { id, isNew: true };
        });
      } catch (error) {
        if (isRefusal(error, 'SERIES_TOO_MANY')) return null;
        throw error;
      }
    },
  };
}

interface ImportedSiteArticle {
  record: ImportRecord;
  /** SHA-256 (hex) of the other site's data for it. */
  digest: string;
  fields: NewArticle;
  created: number;
  updated: number;
  seriesNo?: number | undefined;
  formerAddresses: readonly string[];
  slug?: string | undefined;
  page?: PlannedPage | undefined;
}

export interface Written {
  saved: Saved;
  addresses: readonly Added[];
}

function createSiteArticles({ db, imports }: SiteImportParts, { prefix, isDryRun }: SiteRun) {
  const sourceOf = (key: string) => `${prefix}article:${key}`;
  const promised = new Map<string, string>();

  return {
    fit: imports.fit,
    hash: imports.hash,
    planPages: imports.planPages,

    /**
     * Returns the records of articles by key. A new article gets an id, its former one if that is free, which
     * later runs find again: so articles can link to one another before they are written.
     */
    async plan(
      articles: readonly Pick<Imported, 'key' | 'id' | 'ownerId'>[],
    ): Promise<Map<string, ImportRecord>> {
      const sources = articles.map(({ key }) => sourceOf(key));
      const known = await findSources(db.read, sources);
      const fresh = articles.filter(({ key }) => !known.has(sourceOf(key)));
      const wanted = fresh.map(({ id }) => id);
      const idFor = await openIds(db.read, 'articles', wanted);
      const rows = fresh.map(({ key, id, ownerId }) => ({
        owner_id: ownerId,
        source: sourceOf(key),
        article_id: idFor(id),
        digest: '',
      }));
      if (!isDryRun && rows.length > 0) await db.write((trx) => insertImports(trx, rows));
      const all = [...rows, ...known.values()];
      return new Map(all.map((row) => [row.source.slice(sourceOf('').length), toRecord(row)] as const));
    },

    /**
     * Writes an article in its author's name. Refuses with CONTENT_TOO_COMPLEX, FIELD_INVALID, and as storage
     * does.
     */
    async saveArticle(author: Person, { digest, ...article }: ImportedSiteArticle): Promise<Written> {
      const viewer = { ...author, signinId: '', origin: 'import' };
      const { seriesNo, slug = '', ...rest } = article;
      const place = seriesNo === undefined ? {} : { seriesNo };
      const entry = { ...rest, ...place, slug, fileHash: digest, isUntold: true };
      const { saved, addresses = [] } = isDryRun
        ? await imports.foresee(viewer, entry, { force: false, promised })
        : await imports.save(viewer, entry, { force: false });
      return { saved, addresses };
    },
  };
}

/** A comment of another site; its author and its article exist here. */
export interface ImportedComment {
  key: string;
  id?: string | undefined;
  articleId: string;
  authorId: string;
  content: string;
  created: number;
  replyTo?: string | undefined;
  /** The user and the text it replies to, if there is no `replyTo`. */
  quoted?: { userId: string; content: string } | undefined;
  isRead: boolean;
  isHeld: boolean;
}

/** `orphaned`: its article no longer exists here. */
type CommentOutcome = 'taken' | 'known' | 'orphaned';

function createSiteComments({ db, comments }: SiteImportParts, { prefix, isDryRun }: SiteRun) {
  const sourceOf = (key: string) => `${prefix}comment:${key}`;
  const imagined = new Set<string>();

  async function replyOf(
    trx: Trx,
    { articleId, replyTo, quoted }: ImportedComment,
    records: Map<string, string>,
  ): Promise<ForeignComment['reply']> {
    const commentId = replyTo === undefined ? undefined : records.get(replyTo);
    const userId = commentId === undefined ? null : await findCommentAuthor(trx, commentId);
    if (commentId !== undefined && userId !== null) return { userId, commentId };
    if (!quoted) return null;
    const asked = { articleId, authorId: quoted.userId, quote: quoted.content };
    return { userId: quoted.userId, commentId: await comments.findQuoted(trx, asked) };
  }

  const idsOf = async (keys: readonly string[], handle = db.read): Promise<Map<string, string>> => {
    const rows = await findSources(handle, keys.map(sourceOf));
    return new Map(
      [...rows].map(([source, { article_id }]) => [source.slice(sourceOf('').length), article_id]),
    );
  };

  return {
    async knownComments(keys: readonly string[]): Promise<Set<string>> {
      const known = new Set((await idsOf(keys)).keys());
      for (const key of keys) if (imagined.has(key)) known.add(key);
      return known;
    },

    /** Writes comments in order, all or none; returns the outcome of each. */
    async addComments(batch: readonly ImportedComment[]): Promise<CommentOutcome[]> {
      if (isDryRun) {
        for (const { key } of batch) imagined.add(key);
        return batch.map(() => 'taken');
      }
      return db.write(async (trx) => {
        const keys = batch.flatMap(({ key, replyTo }) => [key, ...(replyTo === undefined ? [] : [replyTo])]);
        const records = await idsOf([...new Set(keys)], trx);
        const wanted = batch.map(({ id }) => id);
        const idFor = await openIds(trx, 'comments', wanted);
        const outcomes: CommentOutcome[] = [];
        for (const comment of batch) {
          const { key, authorId } = comment;
          if (records.has(key)) {
            outcomes.push('known');
            continue;
          }
          const id = idFor(comment.id);
          const reply = await replyOf(trx, comment, records);
          const isTaken = await comments.import(trx, { ...comment, id, reply });
          outcomes.push(isTaken ? 'taken' : 'orphaned');
          if (!isTaken) continue;
          const row = { owner_id: authorId, source: sourceOf(key), article_id: id, digest: 'taken:' };
          await insertSource(trx, row);
          records.set(key, id);
        }
        return outcomes;
      });
    },
  };
}
