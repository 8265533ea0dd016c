import { text, type Migration } from '../migration.ts';

const both = (string: string) => [
  `alter table webhooks add column owner_id ${string} references users (id) on delete cascade`,
  `create index webhooks_owner on webhooks (owner_id)`,
];

/** Webhooks of authors; a webhook of the site has no owner. */
export const ownWebhooks: Migration = { number: 55, sqlite: both('text'), postgres: both(text) };
