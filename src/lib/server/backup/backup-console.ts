import type { Readable } from 'node:stream';
import type { BackupState } from '../../contract/calls/setting-calls.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Proof, Viewer } from '../auth/auth-service.ts';
import type { Place } from '../auth/guard/known-places.ts';
import type { Uses } from '../services.ts';
import { toInstant } from '../shared/ids.ts';

export type BackupConsole = ReturnType<typeof createBackupConsole>;

/** The operator's view of the backups, and downloads of them. */
export function createBackupConsole({ db, audit, auth, backups }: Uses<'auth' | 'backups'>) {
  const { tickets } = auth;
  return {
    async state(): Promise<BackupState> {
      const [{ items, problem }, next, { running, last }, { error }] = await Promise.all([
        backups.archives(),
        backups.next(),
        backups.checkState(),
        backups.last(),
      ]);
      return {
        items: items.map(({ time, ...item }) => ({ ...item, time: toInstant(time) })),
        problem,
        failure: error,
        is_running: backups.isRunning(),
        next_time: next === null ? null : toInstant(next),
        checking: running ?? '',
        check: last && {
          name: last.name,
          time: toInstant(last.time),
          is_sound: last.isSound,
          text: last.text,
        },
      };
    },

    /** Returns the secret of a download. Refuses as `requireArchive`, and as a proof that is wrong. */
    async issue(
      { name, ...proof }: Proof & { name: string },
      { viewer, from }: { viewer: Viewer; from: Place },
    ): Promise<string> {
      await backups.requireArchive(name);
      await auth.confirmChange(viewer, proof, from);
      return db.write(async (trx) => {
        const subject = { kind: 'site', id: '' };
        const entry = { actorId: viewer.id, action: 'backup.download', subject } as const;
        await audit.write(trx, { ...entry, before: {}, after: { file: name } });
        return tickets.issue(trx, 'backup', { userId: viewer.id, payload: name });
      });
    },

    /** Opens the archive of a link, which then is used. Refuses with FILE_NOT_FOUND, BACKUP_OFF. */
    async open(secret: string): Promise<{ name: string; bytes: number; stream: Readable }> {
      const ticket = await db.write((trx) => tickets.take(trx, 'backup', secret));
      const name = ticket?.payload ?? refuse('FILE_NOT_FOUND');
      const { stream, bytes, close } = await backups.openArchive(name);
      stream.once('close', close);
      return { name, bytes, stream };
    },
  };
}
