import type { Queryable, Trx } from '../db/database.ts';

/** Rows of `site_options` besides the operator's options: the site's facts and its logo. */
export type SiteOption = 'site' | 'site_logo';

export async function selectSite(db: Queryable): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('site_options')
    .select(['name', 'value'])
    .where('name', 'in', ['site', 'site_logo'] satisfies SiteOption[])
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function storeSite(trx: Trx, name: SiteOption, value: string | null): Promise<void> {
  await trx.deleteFrom('site_options').where('name', '=', name).execute();
  if (value !== null) await trx.insertInto('site_options').values({ name, value }).execute();
}
