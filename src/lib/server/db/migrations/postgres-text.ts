/** PostgreSQL's text columns: "C" compares bytes, as SQLite does, whatever the server's locale. */
export const text = 'text collate "C"';
