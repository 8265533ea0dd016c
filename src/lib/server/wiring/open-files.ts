import type { Config } from '../config/config.ts';
import { isInReserve } from '../storage/disk-reserve.ts';
import { createFileService } from '../files/file-service.ts';
import { createUploadRoom } from '../files/upload-room.ts';

type Parts = Omit<Parameters<typeof createFileService>[0], 'room' | 'now'> & { now: () => number };

export function openFiles({ uploads: place, uploadsLimitBytes, diskReserveBytes }: Config, parts: Parts) {
  const { db, now } = parts;
  const room = createUploadRoom({
    db,
    limit: uploadsLimitBytes,
    isLow: async () => 'folder' in place && isInReserve(place.folder, diskReserveBytes),
    now,
  });
  return { room, files: createFileService({ ...parts, room }) };
}
