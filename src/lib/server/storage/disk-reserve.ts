import { statfs } from 'node:fs/promises';
import { refuse } from '../../contract/rules/errors.ts';

/** Returns the space of the disk under a folder in bytes; null if unknown. */
export type MeasureDisk = (folder: string) => Promise<{ free: number; total: number } | null>;

const RETRY_AFTER_S = 300;
const MAX_RESERVE_SHARE = 0.1;
const NEARLY_FULL =
  '网站的磁盘快满了，剩下的空间留给文章和评论：图片、导出和备份暂时不能写入，请联系站长或稍后再试';

export const measureDisk: MeasureDisk = async (folder) => {
  const found = await statfs(folder).catch(() => null);
  return found && found.blocks > 0
    ? { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
    : null;
};

/** Returns whether the disk under `folder` has only the reserve left, which only the database may use. */
export async function isInReserve(folder: string, reserve: number, measure = measureDisk): Promise<boolean> {
  const found = await measure(folder);
  return found !== null && found.free < Math.min(reserve, found.total * MAX_RESERVE_SHARE);
}

/** Refuses with STORAGE_FULL while `isInReserve`. */
export async function requireReserve(folder: string, reserve: number, measure?: MeasureDisk): Promise<void> {
  if (await isInReserve(folder, reserve, measure)) refuseNearlyFull();
}

export function refuseNearlyFull(): never {
  refuse('STORAGE_FULL', { text: NEARLY_FULL, retryAfter: RETRY_AFTER_S });
}
