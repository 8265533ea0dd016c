import type { Authored } from '../../../contract/rules/authored-fields.ts';
import type { CallInput } from '../../../contract/calls/calls.ts';
import type { List } from '../../../contract/entities.ts';
import { isRefusal, refuse } from '../../../contract/rules/errors.ts';
import {
  MAX_LISTED_USES,
  type OwnPicture,
  type PictureUse as WireUse,
} from '../../../contract/calls/picture-calls.ts';
import { PICTURE_URL, sizeIn } from '../../../contract/rules/pictures.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { toInstant } from '../../shared/ids.ts';
import type { PageRequest } from '../../shared/paging.ts';
import * as queries from './picture-queries.ts';
import type { Uses } from '../../services.ts';

export type PictureService = ReturnType<typeof createPictureService>;

/** Uploaded pictures of an author and their uses; to the author, pictures of other accounts do not exist. */
export function createPictureService(parts: Uses<'articles' | 'series' | 'files' | 'quotas' | 'users'>) {
  const { db, articles, series, files, quotas, users } = parts;
  const usesOf = (name: string, viewer: Viewer) =>
    queries.listUses(db.read, name, viewer.id, MAX_LISTED_USES + 1);

  async function describe(row: queries.PictureRow, viewer: Viewer): Promise<OwnPicture> {
    const uses = await usesOf(row.name, viewer);
    return {
      name: row.name,
      url: PICTURE_URL + row.name,
      ...(sizeIn(row.name) ?? { width: 0, height: 0 }),
      bytes: row.bytes,
      kind: row.name.slice(row.name.lastIndexOf('.') + 1),
      create_time: toInstant(row.create_time),
      uses: uses.slice(0, MAX_LISTED_USES).map(toWire),
      more: uses.length > MAX_LISTED_USES,
    };
  }

  /** Refuses with FIELD_INVALID unless all `names` are pictures of the viewer. */
  async function requirePictures(names: readonly string[], viewer: Viewer): Promise<void> {
    const found = await queries.findPictures(db.read, viewer.id, names);
    if (found.length < new Set(names).size) refuse('FIELD_INVALID', { text: '这张图片不存在或已被删除' });
  }

  async function removeRows(
    trx: Trx,
    owner: Pick<Viewer, 'id'>,
    pictures: readonly { name: string; bytes: number }[],
  ): Promise<string[]> {
    const names = pictures.map(({ name }) => name);
    const copies = await files.bytesOfCopies(trx, names);
    await queries.deletePictures(trx, owner.id, names);
    await quotas.store(trx, owner, -pictures.reduce((sum, { bytes }) => sum + bytes, copies));
    return names;
  }

  return {
    async list(filter: CallInput<'pictureList'>, viewer: Viewer): Promise<List<OwnPicture>> {
      const { rows, total } = await queries.readPictures(db.read, viewer.id, filter);
      const result: OwnPicture[] = [];
      for (const row of rows) result.push(await describe(row, viewer));
      return { result, total };
    },

    /**
     * Deletes pictures of the viewer, all or none; returns their number. Refuses with PICTURE_IN_USE, and,
     * unless `from_history` is set, with PICTURE_IN_HISTORY.
     */
    async remove({ names, from_history }: CallInput<'pictureDelete'>, viewer: Viewer) {
      const deleted = await db.write(async (trx) => {
        const found = await queries.findPictures(trx, viewer.id, names);
        const used = found.filter(({ is_used }) => is_used === 1).length;
        if (used > 0) refuse('PICTURE_IN_USE', { text: inUse(used, found.length) });
        const kept = found.filter(({ is_in_history }) => is_in_history === 1).length;
        if (kept > 0 && !from_history) refuse('PICTURE_IN_HISTORY', { text: inHistory(kept) });
        return removeRows(trx, viewer, found);
      });
      await files.discard(deleted);
      return { deleted: deleted.length };
    },

    async namesOf(ownerId: string, request: PageRequest): Promise<List<string>> {
      const { rows, total } = await queries.readPictures(db.read, ownerId, request);
      return { result: rows.map(({ name }) => name), total };
    },

    /**
     * Deletes the row of a picture inside `trx`, even if it is in use, for staff; returns its owner. The
     * caller passes the file to `files.discard` after the commit. Refuses with FILE_NOT_FOUND.
     */
    async removeByStaff(trx: Trx, name: string): Promise<{ ownerId: string }> {
      const found = (await queries.findOwner(trx, name)) ?? refuse('FILE_NOT_FOUND');
      const { owner_id: ownerId, bytes } = found;
      await removeRows(trx, { id: ownerId }, [{ name, bytes }]);
      return { ownerId };
    },

    /**
     * Replaces the picture `name` with `by` in the viewer's articles, drafts, revisions and covers, each as a
     * separate edit. The trash and earlier versions stay unchanged. Refuses with FIELD_INVALID (not a picture
     * of the viewer, or used too often).
     * @returns the number of changed articles and series, the number of articles whose change waits for
     * staff, and the articles that were not changed, with the reason
     */
    async replace({ name, by }: CallInput<'pictureReplace'>, viewer: Viewer, saved_by?: string) {
      await requirePictures([name, by], viewer);
      const uses = (await usesOf(name, viewer)).filter(({ status }) => status !== 'cancel');
      const ids = new Map(
        uses
          .filter(({ place }) => place === 'article' || place === 'revision')
          .map(({ id, title }) => [id, title]),
      );
      if (ids.size > MAX_LISTED_USES) refuse('FIELD_INVALID', { text: USED_OFTEN });
      let [changed, pending] = [0, 0];
      const problems: { id: string; title: string; problem: string }[] = [];
      const change = (fields: Authored): Authored => withPicture(fields, name, by);
      for (const [id, title] of ids) {
        try {
          const amended = await articles.amend(id, viewer, { change, saved_by });
          if (amended !== 'same') changed++;
          if (amended === 'pending') pending++;
        } catch (error) {
          // Deleted meanwhile, or refused for its own reason: the other articles are still changed.
          if (!isRefusal(error)) throw error;
          problems.push({ id, title, problem: error.message });
        }
      }
      for (const { id } of uses.filter(({ place }) => place === 'series')) {
        await series.setCover(id, PICTURE_URL + by, viewer);
        changed++;
      }
      if (uses.some(({ place }) => place === 'thanks')) {
        await users.changeThanks(viewer, PICTURE_URL + by);
        changed++;
      }
      return { changed, ...(pending > 0 ? { pending } : {}), problems };
    },
  };
}

function toWire({ place, id, title, status }: queries.PictureUse): WireUse {
  const isDeleted = status === 'cancel';
  if (place === 'article')
    return { place: isDeleted ? 'trash' : status === 'draft' ? 'draft' : 'article', id, title };
  return { place: isDeleted && place !== 'version' ? 'trash' : place, id, title };
}

const withPicture = (fields: Authored, name: string, by: string): Authored => {
  const put = (text: string) => text.replaceAll(PICTURE_URL + name, PICTURE_URL + by);
  const { content, cover } = fields;
  return { ...fields, content: put(content), ...(cover === undefined ? {} : { cover: put(cover) }) };
};

const USED_OFTEN = `用到这张图片的文章超过 ${MAX_LISTED_USES} 篇，请到文章里逐篇替换`;

const inUse = (used: number, all: number) =>
  all === 1
    ? '这张图片还在用，先从用到它的地方拿掉，再来删除'
    : `有 ${used} 张图片还在用，没有删除任何图片。先从用到的地方拿掉，再来删除`;

const inHistory = (count: number) =>
  `有 ${count} 张图片历史版本里还有：删除以后，恢复那些版本会看到一处空着的图片`;
