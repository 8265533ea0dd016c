import { refusal, refuse } from '../../../../contract/rules/errors.ts';
import { KIB } from '../../../../contract/rules/units.ts';
import { createReusedThread } from '../../../jobs/reused-thread.ts';
import { collect, type HeldBody } from '../../held-bodies.ts';
import type { Parsed } from './call-worker.ts';
import { createCallParser, type RpcCall } from './parse-call.ts';

/** Read before the caller is known, and parsed on the main thread: at most 4 ms, whatever it holds. */
const HEAD_BYTES = 32 * KIB;

/** A call of which at least the method and the first parameters have arrived. */
export type ArrivingCall = Awaited<ReturnType<typeof beginCall>>;

const SCRIPT = new URL('./call-worker.ts', import.meta.url);
const MAX_PARSE_MS = 30_000;
const IDLE_MS = 10_000;

const thread = createReusedThread<{ bytes: Uint8Array }, Parsed>(SCRIPT, {
  idleMs: IDLE_MS,
  queue: { waiting: 64, waitingEach: 8 },
  startMs: MAX_PARSE_MS,
  timedOut: () => refusal('UNAVAILABLE', { retryAfter: 2 }),
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
});

/**
 * Reads the first 32 KiB of a call, which have its method and token. Refuses as `createCallParser` and
 * `HeldBody.chunks`.
 * @param most maximum bytes of the body
 */
export async function beginCall(body: HeldBody, most: number) {
  const bytes = collect(most, body.announced);
  const parser = createCallParser();
  let left = HEAD_BYTES;
  for await (const chunk of body.chunks()) {
    bytes.add(chunk);
    parser.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left < 0) break;
  }
  const isWhole = left >= 0;
  const head = isWhole ? parser.end() : parser.begun();
  return {
    head,
    isWhole,
    /** Reads the rest and parses it in a thread. Refuses as `HeldBody.chunks` and `parseCall`. */
    async whole(owner: string): Promise<RpcCall> {
      if (isWhole) return head;
      for await (const chunk of body.chunks()) bytes.add(chunk);
      const whole = bytes.bytes();
      const parsed = await thread.ask({ bytes: whole }, owner, [whole.buffer]);
      return 'call' in parsed ? parsed.call : refuse(parsed.refused.code, { text: parsed.refused.text });
    },
  };
}
