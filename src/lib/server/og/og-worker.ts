import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { openPictures, type PictureText } from './picture.ts';

export type PictureReply = { png: Uint8Array } | { error: string };

// Pages are more urgent than pictures. On Linux this is the priority of the calling thread alone, see
// setpriority(2); elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const draw = openPictures();
// Reported with the first text.
draw.catch(() => undefined);

parentPort?.on('message', (text: PictureText) => void answer(text));

async function answer(text: PictureText): Promise<void> {
  const reply = await draw
    .then((drawn) => drawn(text))
    .then(
      (png): PictureReply => ({ png }),
      (error: unknown): PictureReply => ({ error: String(error) }),
    );
  parentPort?.postMessage(reply);
}
