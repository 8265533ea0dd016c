import type { Database } from './database.ts';

/** A numbered step of the schema. Unique constraints are named after table and columns (`Violation`). */
export interface Migration extends Record<Database['engine'], readonly string[]> {
  number: number;
}

/** Type of text columns in PostgreSQL: "C" compares bytes, as SQLite does, whatever the server's locale. */
export const text = 'text collate "C"';
