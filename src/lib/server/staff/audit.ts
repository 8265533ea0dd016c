import type { Trx } from '../db/database.ts';
import { newId } from '../ids.ts';
import * as queries from './audit-queries.ts';

/** Something that staff did. */
export interface AuditEntry {
  /** Null: the operator, on the command line. */
  actorId: string | null;
  /** What was done: the kind of thing, a dot, a verb (`user.role`). */
  action: string;
  subject: { kind: string; id: string };
  /** What was so, and is so now: plain data of a few short fields. */
  before: object;
  after: object;
}

export type Audit = ReturnType<typeof createAudit>;

/** The record of what staff does. Whoever changes something writes to it in the same transaction. */
export function createAudit({ now }: { now: () => number }) {
  return {
    /** Writes an entry inside `trx`; it stands when `trx` commits, and can never be changed. */
    async write(trx: Trx, { actorId, action, subject, before, after }: AuditEntry): Promise<void> {
      await queries.insertAudit(trx, {
        id: newId(),
        create_time: now(),
        actor_id: actorId,
        actor_name: actorId === null ? '' : await queries.nameOf(trx, actorId),
        action,
        subject_kind: subject.kind,
        subject_id: subject.id,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      });
    },
  };
}
