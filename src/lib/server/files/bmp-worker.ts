import { decode } from 'bmp-ts';
import { answerRequests, lowerPriority } from '../jobs/answer-requests.ts';

lowerPriority();
answerRequests(
  ({ bytes }: { bytes: Uint8Array }) => {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const { data, bitPP } = decode(file, { toRGBA: true });
    // In most 32-bit files the last eight bits are unused and zero.
    const isOpaque = bitPP !== 32 || !hasAlpha(data);
    if (isOpaque) for (let at = 3; at < data.length; at += 4) data[at] = 255;
    return { data };
  },
  ({ data }) => [data.buffer as ArrayBuffer],
);

function hasAlpha(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return true;
  return false;
}
