/**
 * One numbered step of the schema: the statements of each engine, run in order in one transaction. Unique
 * constraints are named after their table and columns (`Violation`).
 */
export interface Migration {
  number: number;
  sqlite: readonly string[];
  postgres: readonly string[];
}
