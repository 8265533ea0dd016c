import { refuse } from '../../contract/rules/errors.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { ExportDownload } from './export-thread.ts';
import { safeName } from './file-names.ts';
import { HOUR_S } from '../../contract/rules/units.ts';
import type { Uses } from '../services.ts';

export type ExportService = ReturnType<typeof createExportService>;

/** Maximum exports per account and hour; each reads all data of the account. */
const MAX_EXPORTS_PER_HOUR = 5;
const MAX_CONCURRENT_EXPORTS = 2;
const RETRY_AFTER_S = 30;
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

interface Parts extends Uses<'auth'> {
  findById(id: string): Promise<{ username: string } | null>;
  /** Whether limits per account apply (RATE_LIMIT). */
  isLimited: boolean;
  /** Refuses with STORAGE_FULL while the disk that exports are written to is nearly full. */
  requireReserve(): Promise<void>;
  run(authorId: string, onEnd: () => void): Promise<ExportDownload>;
}

/**
 * Downloads of an author's data. A link that works once, for two minutes, starts the download: browsers
 * stream a plain link to disk, but not the response to a call with a token.
 */
export function createExportService({ db, auth, findById, isLimited, requireReserve, run, log }: Parts) {
  const { tickets } = auth;
  /** Keyed by account id; null while the export starts. */
  const running = new Map<string, { stop(): Promise<void> } | null>();

  function requireRoom(userId: string): void {
    if (running.has(userId))
      refuse('TOO_MANY_REQUESTS', { text: '上一次导出还没有下载完', retryAfter: RETRY_AFTER_S });
    if (running.size >= MAX_CONCURRENT_EXPORTS)
      refuse('UNAVAILABLE', { text: '导出的人比较多，请过一会儿再试', retryAfter: RETRY_AFTER_S });
  }

  async function begin(userId: string): Promise<ExportDownload> {
    running.set(userId, null);
    try {
      const download = await run(userId, () => running.delete(userId));
      if (running.has(userId)) running.set(userId, download);
      return download;
    } catch (error) {
      running.delete(userId);
      log.error({ err: error }, 'export failed');
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      return refuse(FULL.has(code) ? 'STORAGE_FULL' : 'UNAVAILABLE', { retryAfter: RETRY_AFTER_S });
    }
  }

  return {
    /**
     * Returns the secret of a link. Refuses with TOO_MANY_REQUESTS, UNAVAILABLE (too many exports),
     * STORAGE_FULL.
     */
    async issue(viewer: Viewer): Promise<string> {
      requireRoom(viewer.id);
      await requireReserve();
      return db.write(async (trx) => {
        if (isLimited && (await tickets.count(trx, 'exported', viewer.id)) >= MAX_EXPORTS_PER_HOUR)
          refuse('TOO_MANY_REQUESTS', { text: '导出太频繁了，请一小时后再试', retryAfter: HOUR_S });
        return tickets.issue(trx, 'export', { userId: viewer.id, payload: '' });
      });
    },

    /**
     * Starts the download for the account that received the link. Refuses with FILE_NOT_FOUND if the link is
     * used or expired, otherwise like `issue`.
     */
    async open(secret: string): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
      const userId = await db.write(async (trx) => {
        const ticket = await tickets.take(trx, 'export', secret);
        if (!ticket?.userId) return refuse('FILE_NOT_FOUND');
        requireRoom(ticket.userId);
        await tickets.issue(trx, 'exported', ticket);
        return ticket.userId;
      });
      const user = (await findById(userId)) ?? refuse('FILE_NOT_FOUND');
      const { body } = await begin(userId);
      return { name: `${safeName(user.username)}.zip`, body };
    },

    async stop(): Promise<void> {
      await Promise.all([...running.values()].map(async (download) => download?.stop()));
    },
  };
}
