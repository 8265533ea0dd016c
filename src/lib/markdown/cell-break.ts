/** Begins a line in a table's cell, which markdown itself has no sign for. */
export const CELL_BREAK = '<br>';
