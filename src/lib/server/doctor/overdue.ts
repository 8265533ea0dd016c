import * as queries from './doctor-queries.ts';
import type { Receiver } from './doctor-queries.ts';
import { MINUTE_MS } from '../../contract/rules/units.ts';
import type { AppParts } from '../services.ts';

/** Jobs of a running server are never this late. */
const OVERDUE_MS = 5 * MINUTE_MS;

const NOT_RUNNING = '：服务没有在运行，或时钟不对';

const RECEIVERS: Record<Receiver, string> = {
  mail: '邮件',
  webhook: 'Webhook',
  own: '作者的 Webhook',
  baidu: '百度推送',
  indexnow: 'IndexNow 推送',
};

export type Overdue = ReturnType<typeof createOverdue>;

/** Finds due work that no server has started: its jobs do not run, or a clock is wrong. */
export function createOverdue({ db, now }: Pick<AppParts, 'db' | 'now'>) {
  const instant = () => now() - OVERDUE_MS;

  const countSchedules = (): Promise<number> => queries.countOverdueSchedules(db.read, instant());

  async function countDeliveries(): Promise<Map<Receiver, number>> {
    const found = await queries.countOverdueDeliveries(db.read, instant());
    const totals = new Map(found.map(({ receiver, total }) => [receiver, total]));
    const receivers = Object.keys(RECEIVERS) as Receiver[];
    return new Map(receivers.map((receiver) => [receiver, totals.get(receiver) ?? 0]));
  }

  return {
    countSchedules,
    countDeliveries,

    async describeSchedules(limit: number): Promise<string> {
      const total = await countSchedules();
      if (total === 0) return '';
      const titles = (await queries.listOverdueTitles(db.read, instant(), limit)).map(
        (each) => `《${each}》`,
      );
      return `${total} 篇过了时间还没有发布（${titles.join('')}${total > limit ? '等' : ''}）${NOT_RUNNING}`;
    },

    async describeDeliveries(): Promise<string> {
      const late = [...(await countDeliveries())].filter(([, total]) => total > 0);
      if (late.length === 0) return '';
      const named = late.map(([receiver, total]) => `${RECEIVERS[receiver]} ${total} 条`);
      return `${named.join('、')}过了时间还没有发出${NOT_RUNNING}`;
    },
  };
}
