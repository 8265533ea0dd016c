import type { Queryable, Trx } from '../db/database.ts';

/** Rows of `site_options` besides the operator's options: the site's facts, its logo, saved looks. */
export type SiteOption = 'site' | 'site_logo' | 'site_looks';

export async function selectSite(
  db: Queryable,
  names: SiteOption[] = ['site', 'site_logo'],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('site_options')
    .select(['name', 'value'])
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function storeSite(trx: Trx, name: SiteOption, value: string | null): Promise<void> {
  await trx.deleteFrom('site_options').where('name', '=', name).execute();
  if (value !== null) await trx.insertInto('site_options').values({ name, value }).execute();
}
