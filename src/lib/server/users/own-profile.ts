import { refuse } from '../../contract/rules/errors.ts';
import { isSameName } from '../../contract/rules/names.ts';
import type { SiteOptions } from '../../contract/site-options.ts';
import { HOUR_MS } from '../../shared/units.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { isReserved } from './reserved-names.ts';
import * as queries from './user-queries.ts';

/** Each change evicts every cached page, because any page may show the name. */
const DISPLAY_NAME_MS = HOUR_MS;

interface ProfileFields {
  display_name: string;
  website: string;
  profile_links: readonly string[];
}

export type OwnProfile = ReturnType<typeof createOwnProfile>;

/** Changes that users make to what others see of them. */
export function createOwnProfile(parts: {
  db: Database;
  events: Pick<Events, 'emit'>;
  readOptions: () => Promise<Pick<SiteOptions, 'reserved_names'>>;
  site: { readonly title: string };
  now: () => number;
}) {
  const { db, events, readOptions, site, now } = parts;

  /** Refuses a display name that readers could take for staff, or for another user's username. */
  async function requireHonest(trx: Trx, name: string, userId: string, reserved: readonly string[]) {
    const field = 'display_name';
    if (isReserved(name, reserved))
      refuse('USERNAME_RESERVED', { text: '这个显示名由本站保留，请换一个', field });
    // Signs and spaces would not stop a reader from seeing the other name.
    const letters = name.replace(/[^\p{L}\p{M}\p{N}_-]/gu, '');
    if ((await queries.findClash(trx, letters, userId)) !== null)
      refuse('USERNAME_TAKEN', { text: '这个显示名和别人的用户名相同或太像，请换一个', field });
  }

  return {
    /**
     * Replaces display name, website and links; a display name that equals the username is none. Refuses with
     * USERNAME_RESERVED, USERNAME_TAKEN, SIGNIN_REQUIRED, and TOO_MANY_REQUESTS for a second display name
     * within an hour.
     */
    async change(viewer: { id: string }, { display_name: typed, website, profile_links }: ProfileFields) {
      const { reserved_names } = await readOptions();
      await db.write(async (trx) => {
        const { username } = (await queries.findUserById(trx, viewer.id)) ?? refuse('SIGNIN_REQUIRED');
        const before = (await queries.findDisplayName(trx, viewer.id)) ?? refuse('SIGNIN_REQUIRED');
        const display_name = isSameName(typed, username) ? '' : typed;
        const isRenamed = display_name !== before.display_name;
        if (isRenamed) {
          if (display_name !== '')
            await requireHonest(trx, display_name, viewer.id, [site.title, ...reserved_names]);
          const wait = before.display_name_time + DISPLAY_NAME_MS - now();
          if (wait > 0)
            refuse('TOO_MANY_REQUESTS', {
              text: `显示名一小时只能改一次，请 ${Math.ceil(wait / 60_000)} 分钟后再改`,
              retryAfter: Math.ceil(wait / 1000),
            });
        }
        await queries.updateUser(trx, viewer.id, {
          website,
          links: JSON.stringify(profile_links),
          ...(isRenamed ? { display_name, display_name_time: now() } : {}),
        });
        events.emit(trx, isRenamed ? { type: 'anything' } : { type: 'user-changed', username, what: 'bio' });
      });
    },
  };
}
