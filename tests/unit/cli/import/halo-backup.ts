import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

export const HALO = fileURLToPath(new URL('../../../fixtures/import/halo/', import.meta.url));

/** A row of Halo's database, with its content decoded. */
export interface HaloRow {
  name: string;
  data: unknown;
  version: number;
}

export const haloRows = (): HaloRow[] =>
  JSON.parse(readFileSync(`${HALO}extensions.json`, 'utf8')) as HaloRow[];

/** Rows in the format of a backup: one line of JSON, with the contents in base64. */
export const extensionsData = (rows: readonly HaloRow[]): string =>
  JSON.stringify(
    rows.map(({ data, ...row }) => ({ ...row, data: Buffer.from(JSON.stringify(data)).toString('base64') })),
  );

/** A backup as Halo's console creates it. @param files by path, in addition to `extensions.data` */
export async function haloBackup(
  data: string | Uint8Array = extensionsData(haloRows()),
  files: Readonly<Record<string, Uint8Array>> = {},
): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, lastModDate: new Date(0) });
  const entries = { 'extensions.data': Buffer.from(data), ...files };
  for (const [path, bytes] of Object.entries(entries)) await zip.add(path, new Uint8ArrayReader(bytes));
  return zip.close();
}
