import { Problem } from '../../markdown-file/problem.ts';
import { pictureInZip } from '../site/picture-bytes.ts';
import { openZip } from '../zip.ts';
import { GIB } from '../../contract/rules/units.ts';

/** Maximum bytes of the decompressed database: more than any blog has, less than a disk. */
const MAX_DATA_BYTES = 8 * GIB;
const NAME = 'extensions.data';
const DATA = /^(?:[^/]+\/)?extensions\.data$/;
const UPLOADS = 'workdir/attachments/';

export type BackupZip = Awaited<ReturnType<typeof openBackupZip>>;

/**
 * Opens a backup of Halo 2.8 or later.
 * @throws Problem if it is not one, is incomplete, or too large
 */
export async function openBackupZip(path: string) {
  const zip = await openZip(path);
  const data = zip.paths.find((each) => DATA.test(each));
  if (data === undefined) {
    await zip.close();
    throw new Problem('压缩包里没有 extensions.data，不是 Halo 2 的备份');
  }
  const folder = data.slice(0, -NAME.length) + UPLOADS;
  const paths = new Set(zip.paths);
  return {
    data: () => zip.stream(data, MAX_DATA_BYTES),
    /** @param wanted below `attachments/`. @returns null if it is missing, or too large for a picture */
    attachment: async (wanted: string) =>
      paths.has(folder + wanted) ? pictureInZip(zip, folder + wanted) : null,
    close: () => zip.close(),
  };
}
