import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { TOTAL, among, countOf } from '../db/lists.ts';
import type { OutboxTable } from '../db/schema/notice-schema.ts';
import { literal } from '../db/prepared.ts';

type Lane = OutboxTable['lane'];

// A literal, so the partial index is used (see article-queries.ts).
const WAITING = sql.lit<OutboxTable['state']>('waiting');
/** Lanes of the site; the deliveries of authors' webhooks are theirs alone. */
const SITE_LANES = ['mail', 'webhook'] as const satisfies Lane[];
type SiteLane = (typeof SITE_LANES)[number];

export async function listDeliveries(
  db: Queryable,
  state: 'waiting' | 'dead',
  page: { offset: number; limit: number },
) {
  const groups = await db
    .selectFrom('outbox')
    .select((eb) => ['delivery', eb.fn.min('id').as('first'), eb.fn.countAll<number>().as('notices')])
    .where('state', '=', state)
    .where('lane', 'in', SITE_LANES)
    .groupBy('delivery')
    .orderBy((eb) => eb.fn.max('settle_time'), 'desc')
    .orderBy((eb) => eb.fn.min('due_time'))
    .orderBy('delivery')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
  const newest = db
    .selectFrom('outbox')
    .select(['id', 'delivery', 'target', 'payload', 'tries', 'due_time', 'settle_time', 'problem'])
    .select((eb) => eb.ref('lane').$castTo<SiteLane>().as('lane'));
  const firsts = groups.map(({ first }) => first);
  const rows = await among(firsts, (some) => newest.where('id', 'in', some));
  const known = new Map(rows.map(({ id, ...row }) => [id, row]));
  return groups.flatMap(({ first, notices }) => {
    const row = known.get(first);
    return row ? { ...row, notices } : [];
  });
}

export interface FailingTarget {
  /** Number of failed deliveries that will be retried. */
  waiting: number;
  /** Facts of the newest one. */
  problem: string;
  tries: number;
  due_time: number;
}

/** Webhooks with failed deliveries that will be retried: of the site, or those among `targets`. */
export async function listFailing(
  db: Queryable,
  targets?: readonly string[],
): Promise<Map<string, FailingTarget>> {
  if (targets?.length === 0) return new Map();
  const groups = await db
    .selectFrom('outbox')
    .select((eb) => [eb.fn.max('id').as('newest'), eb.fn.countAll<number>().as('waiting')])
    .where((eb) => (targets ? eb('target', 'in', targets) : eb('lane', '=', 'webhook')))
    .where('state', '=', WAITING)
    .where('problem', '<>', '')
    .groupBy('target')
    .execute();
  const counts = new Map(groups.map(({ newest, waiting }) => [newest, waiting]));
  const notices = db.selectFrom('outbox').select(['id', 'target', 'problem', 'tries', 'due_time']);
  const rows = await among([...counts.keys()], (some) => notices.where('id', 'in', some));
  return new Map(rows.map(({ id, target, ...row }) => [target, { ...row, waiting: counts.get(id) ?? 1 }]));
}

/** Deliveries with a subject to a target, newest first; those that were sent are kept for some days. */
export async function listLogged(db: Queryable, target: string, page: { offset: number; limit: number }) {
  const logged = db.selectFrom('outbox').where('target', '=', target).where('subject', 'is not', null);
  const items = await logged
    .select(['delivery', 'payload', 'create_time', 'tries', 'state', 'settle_time', 'problem'])
    .orderBy('create_time', 'desc')
    .orderBy('id', 'desc')
    .offset(literal(page.offset))
    .limit(literal(page.limit))
    .execute();
  return { items, total: await countOf(logged.select(TOTAL)) };
}

export async function countDeliveries(db: Queryable, state: 'waiting' | 'dead', some?: readonly string[]) {
  if (some?.length === 0) return 0;
  const all = db
    .selectFrom('outbox')
    .select((eb) => eb.fn.count<number>('delivery').distinct().as('total'))
    .where('lane', 'in', SITE_LANES)
    .where('state', '=', state);
  return countOf(some ? all.where('delivery', 'in', some) : all);
}

export const countUnsent = (db: Queryable) =>
  db
    .selectFrom('outbox')
    .select((eb) => ['lane', 'state', eb.fn.count<number>('delivery').distinct().as('total')])
    .where('state', 'in', ['waiting', 'dead'])
    .groupBy(['lane', 'state'])
    .execute();
