import { refuse } from '../../contract/rules/errors.ts';
import { refuseNearlyFull } from '../storage/disk-reserve.ts';
import { rememberWarned, sumUploads } from './variant-queries.ts';
import type { AppParts } from '../services.ts';

export type UploadRoom = ReturnType<typeof createUploadRoom>;

const MEASURE_INTERVAL_MS = 10_000;
const WARN_AT = 0.8;
/** Staff are notified again only after usage has been below this share. */
const CALM_AT = 0.75;
const RETRY_AFTER_S = 3_600;
const FULL = '站点的图片空间已用完，这次没有上传，请联系站长';

/**
 * Enforces the limit on all uploads of the site. The stored bytes are summed at most every ten seconds; in
 * between, the bytes that this process stores are added.
 */
export function createUploadRoom(
  parts: Pick<AppParts, 'db' | 'now'> & {
    limit: number | null;
    isLow?: (() => Promise<boolean>) | undefined;
  },
) {
  const { db, limit, now, isLow = async () => false } = parts;
  let known = { at: -Infinity, bytes: 0 };

  async function measure() {
    known = { at: now(), bytes: await sumUploads(db.read) };
    const { bytes } = known;
    return { bytes, limit, isNearLimit: limit !== null && bytes >= WARN_AT * limit };
  }
  async function fits(bytes: number): Promise<boolean> {
    if (limit === null) return true;
    if (now() - known.at >= MEASURE_INTERVAL_MS) await measure();
    return known.bytes + bytes <= limit;
  }

  return {
    limit,
    measure,
    has: async (bytes: number): Promise<boolean> => !(await isLow()) && (await fits(bytes)),
    /** Refuses with STORAGE_FULL when they may not. */
    async require(bytes: number): Promise<void> {
      if (await isLow()) refuseNearlyFull();
      if (!(await fits(bytes))) refuse('STORAGE_FULL', { text: FULL, retryAfter: RETRY_AFTER_S });
    },
    add(bytes: number): void {
      known.bytes += bytes;
    },
    async warn(notices: Pick<AppParts['notices'], 'notify'>): Promise<void> {
      const { bytes, isNearLimit } = await measure();
      const isCalm = limit === null || bytes < CALM_AT * limit;
      if (!isNearLimit && !isCalm) return;
      await db.write(async (trx) => {
        if (!(await rememberWarned(trx, isNearLimit)) || !isNearLimit) return;
        await notices.notify(trx, {
          kind: 'report',
          title: '图片空间快用完了',
          text: `全站图片已占 ${inMib(bytes)} MB，上限是 ${inMib(limit ?? 0)} MB（UPLOADS_LIMIT_MB）。用完以后不能再上传图片`,
          path: '/admin',
        });
      });
    },
  };
}

const inMib = (bytes: number): number => Math.round(bytes / 1024 / 1024);
