import type { User } from '../../../contract/entities.ts';
import { isRefusal } from '../../../contract/rules/errors.ts';
import { foldName } from '../../../contract/rules/names.ts';
import { newId } from '../../shared/ids.ts';
import { findSources, freeIds, insertSource, type Identified } from './foreign-queries.ts';
import type { Person, SiteImportParts, SiteRun } from './site-import-parts.ts';
import type { Queryable } from '../../db/database.ts';

export interface ImportedUser {
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
export interface ImportedTag extends Imported {
  name: string;
}
export interface ImportedSeries extends Imported {
  title: string;
  cover: string;
}

/** Digest in `imports` of an account that was created rather than found. */
export const MADE = 'made:';
const ID = /^[0-9a-f]{24}$/;

async function idFor(db: Queryable, table: Identified, id: string | undefined): Promise<string> {
  const wanted = id?.toLowerCase() ?? '';
  return ID.test(wanted) && (await freeIds(db, table, [wanted])).size === 1 ? wanted : newId();
}

export function createSitePeople(parts: SiteImportParts, { prefix, isDryRun }: SiteRun) {
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
