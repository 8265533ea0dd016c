/** A numbered step of the schema. Unique constraints are named after table and columns (`Violation`). */
export interface Migration {
  number: number;
  sqlite: readonly string[];
  postgres: readonly string[];
}

/** PostgreSQL's text columns: "C" compares bytes, as SQLite does, whatever the server's locale. */
export const text = 'text collate "C"';
