import { may, type Role } from '../../contract/rules/permissions.ts';
import type { StaffCounts } from '../../contract/staff-counts.ts';
import { countOpen } from './report-queries.ts';
import { listRoles } from './role-queries.ts';
import type { Uses } from '../services.ts';

export type WaitingService = ReturnType<typeof createWaitingService>;

export function createWaitingService(parts: Uses<'takedowns' | 'options' | 'safety' | 'friends'>) {
  const { db, takedowns, options, safety, now } = parts;
  async function staffAmong(ids: readonly string[]): Promise<{ id: string; role: Role }[]> {
    const people = await listRoles(db.read, ids, now());
    if (people.length === 0 || !(await options.read()).secondFactorForStaff) return people;
    const isSafe = await Promise.all(people.map(async ({ id }) => (await safety.twoStep(id)).has_totp));
    return people.filter((_, index) => isSafe[index]);
  }
  return {
    /**
     * Numbers of pending items that each of these users may see now, by user id; users without permission are
     * left out.
     */
    async countsFor(ids: readonly string[]): Promise<Map<string, StaffCounts>> {
      const people = await staffAmong(ids);
      if (people.length === 0) return new Map();
      const [held, reports, friends] = await Promise.all([
        takedowns.countHeld(),
        countOpen(db.read),
        parts.friends.countApplied(),
      ]);
      const countsOf = (role: Role): StaffCounts => ({
        ...(may(role, 'comments.moderate') ? { held } : {}),
        ...(may(role, 'reports.decide') ? { reports } : {}),
        ...(may(role, 'friends.manage') ? { friends } : {}),
      });
      return new Map(
        people.filter(({ role }) => may(role, 'console.open')).map(({ id, role }) => [id, countsOf(role)]),
      );
    },
  };
}
