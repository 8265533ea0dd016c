import stringWidth from 'string-width';

/** Prints a table whose first row has the headings; `none` if it has no other row. */
export function printTable(
  none: string,
  rows: readonly (readonly string[])[],
  alignment: readonly ('start' | 'end')[],
): void {
  for (const line of rows.length > 1 ? table(rows, alignment) : [none]) console.log(line);
}

/** Formats table rows: columns are two spaces apart, Chinese characters two wide. Use `end` for numbers. */
export function table(
  rows: readonly (readonly string[])[],
  alignment: readonly ('start' | 'end')[],
): string[] {
  const widths = alignment.map((_, column) =>
    Math.max(0, ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  return rows.map((row) =>
    alignment
      .map((side, column) => {
        const cell = row[column] ?? '';
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
        return side === 'end' ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}
