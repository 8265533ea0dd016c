/**
 * The type of every text column in PostgreSQL. Collation "C" compares bytes, as SQLite does: both engines
 * find, order and tell apart the same values, whatever the locale of the server.
 */
export const text = 'text collate "C"';
