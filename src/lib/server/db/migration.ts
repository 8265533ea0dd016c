/** A numbered step of the schema. Unique constraints are named after table and columns (`Violation`). */
export interface Migration {
  number: number;
  sqlite: readonly string[];
  postgres: readonly string[];
}

/** Type of text columns in PostgreSQL: "C" compares bytes, as SQLite does, whatever the server's locale. */
export const text = 'text collate "C"';
