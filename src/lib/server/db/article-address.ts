import { sql } from 'kysely';

const ADDRESS = sql<string>`case
  when (select value from site_options where name = 'articleAddress') = '"slug"' then articles.address
  else '' end`;

/** Slug with which the site links an article (`articleUrl`); '' where it links `/detail/{id}`. */
export const LINKED_ADDRESS = ADDRESS.as('address');
