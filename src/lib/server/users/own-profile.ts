import { refuse } from '../../contract/rules/errors.ts';
import { isSameName } from '../../contract/rules/names.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/rules/units.ts';
import type { Proof, Viewer } from '../auth/auth-service.ts';
import type { Place } from '../auth/guard/known-places.ts';
import type { Queryable } from '../db/database.ts';
import { asClean } from '../shared/clean-text.ts';
import { keepName, releaseName } from './former-queries.ts';
import * as queries from './user-queries.ts';
import { requireFree } from './user-service.ts';
import type { Uses } from '../services.ts';

/** Each change evicts every cached page, because any page may show the name. */
const DISPLAY_NAME_MS = HOUR_MS;
/** Time from a change of the display name in which it may be corrected (decision 0105). */
const CORRECTION_MS = 10 * MINUTE_MS;
/** Each change takes a name from all others, for good. */
const USERNAME_MS = 30 * DAY_MS;

interface ProfileFields {
  display_name: string;
  website: string;
  profile_links: readonly string[];
}

export type OwnProfile = ReturnType<typeof createOwnProfile>;

/** Changes that users make to what others see of them. */
export function createOwnProfile(
  parts: Uses<'users' | 'auth' | 'texts' | 'quotas' | 'notifyChange' | 'indexAuthor'>,
) {
  const { db, events, users, quotas, now } = parts;
  const { requireClean } = parts.texts;

  /** Returns when the display name counts as changed: a correction leaves the time of what it corrects. */
  function renamedAt({ display_name_time: before }: { display_name_time: number }): number {
    const instant = now();
    if (instant < before + CORRECTION_MS) return before;
    const wait = before + DISPLAY_NAME_MS - instant;
    if (wait > 0)
      refuse('TOO_MANY_REQUESTS', {
        text: `显示名一小时只能改一次，请 ${Math.ceil(wait / MINUTE_MS)} 分钟后再改`,
        field: 'display_name',
        retryAfter: Math.ceil(wait / SECOND_MS),
      });
    return instant;
  }

  /** Returns the viewer's names if `username` may replace the former one; null if it is the same. */
  async function findRename(on: Queryable, { id }: Viewer, username: string) {
    const before = (await queries.findNames(on, id)) ?? refuse('SIGNIN_REQUIRED');
    if (before.username === username) return null;
    const wait = before.username_time + USERNAME_MS - now();
    if (wait > 0)
      refuse('TOO_MANY_REQUESTS', {
        text: `用户名 30 天只能改一次，请 ${Math.ceil(wait / DAY_MS)} 天后再改`,
        field: 'username',
        retryAfter: Math.ceil(wait / SECOND_MS),
      });
    await users.requireAllowed(username, { on, id });
    await requireFree(on, username, id);
    return before;
  }

  return {
    /**
     * Replaces the viewer's username; the former one is kept for them and redirects. Does nothing if they
     * have that name. Refuses with WORD_REFUSED, USERNAME_RESERVED, USERNAME_TAKEN, PASSWORD_WRONG,
     * CODE_WRONG, SIGNIN_REQUIRED, and TOO_MANY_REQUESTS for a second change within 30 days.
     */
    async rename(viewer: Viewer, { username: typed, ...proof }: Proof & { username: string }, from: Place) {
      const { username } = await requireClean('user', { username: typed }, viewer);
      const { id } = viewer;
      // Before the proof, because a code can be used only once.
      if (!(await findRename(db.read, viewer, username))) return;
      await parts.auth.confirmChange(viewer, proof, from);
      const isRenamed = await db.write(async (trx) => {
        const before = await findRename(trx, viewer, username);
        if (!before) return false;
        await releaseName(trx, { id, username });
        if (!isSameName(before.username, username)) await keepName(trx, { id, username: before.username });
        await queries.renameUser(trx, id, username, now());
        if (isSameName(before.display_name, username))
          await queries.updateUser(trx, id, { display_name: asClean('', 'site') });
        await parts.notifyChange(trx, id, 'username');
        // Any page may show the name.
        events.emit(trx, { type: 'anything' });
        return true;
      });
      if (isRenamed) await parts.indexAuthor(id);
    },
    /**
     * Replaces display name, website and links; a display name equal to the username is removed. Refuses
     * with WORD_REFUSED, USERNAME_RESERVED, USERNAME_TAKEN, SIGNIN_REQUIRED, QUOTA_REACHED, and
     * TOO_MANY_REQUESTS for a second display name within an hour, except in its first ten minutes.
     */
    async change(viewer: Viewer, fields: ProfileFields) {
      const checked = await requireClean('user', fields, viewer);
      const { display_name: typed, website, profile_links } = checked;
      const isRenamed = await db.write(async (trx) => {
        const before = (await queries.findNames(trx, viewer.id)) ?? refuse('SIGNIN_REQUIRED');
        const { username } = before;
        const display_name = isSameName(typed, username) ? asClean('', 'site') : typed;
        const isNew = display_name !== before.display_name;
        let renamed = {};
        if (isNew) {
          if (display_name !== '') await users.requireHonest(trx, display_name, viewer);
          renamed = { display_name, display_name_time: renamedAt(before) };
          await quotas.use(trx, viewer, { displayNames: 1 });
        }
        await queries.updateUser(trx, viewer.id, {
          website,
          links: asClean(JSON.stringify(profile_links), 'checked'),
          ...renamed,
        });
        events.emit(trx, isNew ? { type: 'anything' } : { type: 'user-changed', username, what: 'bio' });
        return isNew;
      });
      if (isRenamed) await parts.indexAuthor(viewer.id);
    },
  };
}
