import type { AuditAction } from '../../contract/rules/audit-actions.ts';
import type { AuditFacts } from '../../contract/rules/audit-fields.ts';
import type { Trx } from '../db/database.ts';
import { newId } from '../shared/ids.ts';
import * as queries from './audit-queries.ts';
import type { AppParts } from '../services.ts';

export interface AuditEntry<Before = AuditFacts, After = AuditFacts> {
  /** Null for the operator on the command line. */
  actorId: string | null;
  action: AuditAction;
  subject: { kind: string; id: string };
  before: Before;
  after: After;
}

/** Facts of which every field has a label (rules/audit-fields.ts), checked at compile time. */
type Labelled<T> = T & AuditFacts & Record<Exclude<keyof T, keyof AuditFacts>, never>;

export type Audit = ReturnType<typeof createAudit>;

/** Audit log of staff. Every change writes its entry in the same transaction. */
export function createAudit({ now }: Pick<AppParts, 'now'>) {
  return {
    async write<B extends object, A extends object>(
      trx: Trx,
      { actorId, action, subject, before, after }: AuditEntry<Labelled<B>, Labelled<A>>,
    ): Promise<void> {
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
