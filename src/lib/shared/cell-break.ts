/** Line break within a table cell; markdown has no syntax for it. */
export const CELL_BREAK = '<br>';
