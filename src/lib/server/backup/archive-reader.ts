import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ArchivePlace } from '../config/backup-settings.ts';
import { readFromBucket } from './bucket.ts';
import type { ArchiveReader } from './places.ts';

export const openArchive = ({ place, name }: ArchivePlace): ArchiveReader =>
  's3' in place ? readFromBucket(place.s3, name) : readFromFile(join(place.folder, name));

export const readFromFile = (file: string): ArchiveReader => ({
  open() {
    const stream = createReadStream(file);
    return { stream, bytesRead: () => stream.bytesRead };
  },
  close() {},
});
