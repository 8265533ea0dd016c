import stringWidth from 'string-width';

type Rows = readonly (readonly string[])[];

/** Prints a table whose first row has the headings; `none` if it has no other row. */
export function printTable(none: string, rows: Rows, numbers?: readonly number[]): void {
  for (const line of rows.length > 1 ? table(rows, numbers) : [none]) console.log(line);
}

/**
 * Formats table rows: columns are two spaces apart, Chinese characters two wide.
 * @param numbers indexes of the columns that are aligned at the end
 */
export function table(rows: Rows, numbers: readonly number[] = []): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => stringWidth(row[column] ?? '')));
  const widths = rows[0]?.map((_, column) => widthOf(column)) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
        return numbers.includes(column) ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}
