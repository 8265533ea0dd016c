import type { Migration } from '../migration.ts';

const indexes = [
  `create index post_origins_username on post_origins (username, create_time desc, id desc)`,
  `create index post_origins_address on post_origins (address, create_time desc, id desc)`,
];

/** Records of an account or address are found without reading the others. */
export const originIndexes: Migration = { number: 48, sqlite: indexes, postgres: indexes };
