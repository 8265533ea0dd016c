import type { IncomingMessage } from 'node:http';
import { refuse } from '../../contract/rules/errors.ts';
import { MIB } from '../../contract/rules/units.ts';

export interface BodyRules {
  /** Maximum size of the response in bytes. */
  most: number;
  /** Returns whether the media type is accepted (lower case, empty when the response names none). */
  accepts(type: string): boolean;
}

/** Reads the body and counts its bytes; refuses with URL_UNREACHABLE. */
export async function readBody(answer: IncomingMessage, { most, accepts }: BodyRules): Promise<Buffer> {
  const { statusCode = 0, headers } = answer;
  const fail = (text: string): never => {
    answer.destroy();
    return refuse('URL_UNREACHABLE', { text });
  };
  if (statusCode !== 200) fail(textOf(statusCode));
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!accepts(type.trim())) fail('这个地址给出的不是图片');
  const tooLarge = `图片不能超过 ${Math.floor(most / MIB)} MB`;
  if (Number(headers['content-length'] ?? 0) > most) fail(tooLarge);
  const body = await readStart(answer, most + 1);
  if (body.length > most) fail(tooLarge);
  return body;
}

/** Reads the first `most` bytes, and closes the connection if there are more. */
export async function readStart(answer: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

function textOf(status: number): string {
  if (status === 404 || status === 410) return '对方网站上已经没有这张图片';
  if (status === 401 || status === 403) return '对方网站不允许从别处取这张图片';
  return `对方网站没有给出图片（状态 ${status}）`;
}
