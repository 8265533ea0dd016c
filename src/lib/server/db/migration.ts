/**
 * A numbered step of the schema: each engine's statements, run in order in one transaction. Unique
 * constraints are named after table and columns (`Violation`).
 */
export interface Migration {
  number: number;
  sqlite: readonly string[];
  postgres: readonly string[];
}
