import { z } from 'zod';
import { Look } from '../../contract/look.ts';
import type { Looks } from '../../contract/calls/site-calls.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { MAX_SAVED_LOOKS, SHIPPED_LOOKS } from '../../contract/rules/looks.ts';
import type { AuditAction } from '../../contract/rules/audit.ts';
import type { Queryable } from '../db/database.ts';
import type { Core } from '../services.ts';
import { selectSite, storeSite } from './site-queries.ts';

export type LookService = ReturnType<typeof createLookService>;

const LOOKS = 'site_looks';

/** Looks that the operator keeps by name. The look in use is a copy in the site's identity. */
export function createLookService({ db, audit }: Core) {
  const settle = async (
    viewer: { id: string },
    { action, name }: { action: AuditAction; name: string },
    change: (saved: Look[]) => Look[],
  ): Promise<Looks> => {
    await db.write(async (trx) => {
      await storeSite(trx, LOOKS, JSON.stringify(change(await readSaved(trx))));
      const subject = { kind: 'site', id: '' };
      await audit.write(trx, { actorId: viewer.id, action, subject, before: {}, after: { look: name } });
    });
    return list();
  };

  async function list(): Promise<Looks> {
    return { shipped: [...SHIPPED_LOOKS], saved: await readSaved(db.read) };
  }

  return {
    list,

    /** Saves a look, in place of one of the same name. Refuses with LOOKS_TOO_MANY, FIELD_INVALID. */
    save(look: Look, viewer: { id: string }): Promise<Looks> {
      const { name } = look;
      if (SHIPPED_LOOKS.some((shipped) => shipped.name === name))
        refuse('FIELD_INVALID', { field: 'look', text: `${name}是自带的外观，请换一个名字` });
      return settle(viewer, { action: 'site.save_look', name }, (saved) => {
        const others = saved.filter((each) => each.name !== name);
        if (others.length >= MAX_SAVED_LOOKS) refuse('LOOKS_TOO_MANY');
        return [...others, look];
      });
    },

    /** Deletes a saved look. The site keeps its copy. */
    remove: (name: string, viewer: { id: string }): Promise<Looks> =>
      settle(viewer, { action: 'site.delete_look', name }, (saved) => {
        const others = saved.filter((each) => each.name !== name);
        if (others.length === saved.length) refuse('FIELD_INVALID', { field: 'name', text: '没有这个外观' });
        return others;
      }),
  };
}

/** Reads saved looks, each validated separately: looks in the format of another version are skipped. */
async function readSaved(handle: Queryable): Promise<Look[]> {
  const rows = await selectSite(handle, [LOOKS]);
  const stored = z.array(z.unknown()).parse(JSON.parse(rows.get(LOOKS) ?? '[]'));
  return stored.flatMap((each) => Look.safeParse(each).data ?? []);
}
