import { refusal, refuse, type Refusal } from '../../contract/rules/errors.ts';

/** A request's body. Its bytes are counted from their arrival until the call disposes of it. */
export interface HeldBody extends Disposable {
  /** Size that the client has announced, or 0. */
  readonly announced: number;
  /** Yields chunks as they arrive; called again, continues after the last one. Refuses like `bytes`. */
  chunks(): AsyncGenerator<Uint8Array>;
  /**
   * Reads the whole body. Refuses with BODY_TOO_LARGE, TOO_MANY_REQUESTS when its owner holds too many bytes,
   * UNAVAILABLE when all owners together do; the last two set Retry-After.
   */
  bytes(): Promise<Uint8Array>;
}

interface Entry {
  owner: string;
  bytes: number;
  end?: ((why: Refusal) => void) | undefined;
}

/** A body declared to be at most this size is not counted: the number of connections bounds these. */
const SMALL_BYTES = 32_768;
const RETRY = { retryAfter: 2 };
const OWN_REFUSAL = { ...RETRY, text: '同时上传的内容过多，请稍后再试' };
const REFUSAL = { ...RETRY, text: '网站正在接收的内容过多，请稍后再试' };

/**
 * Limits the bytes of request bodies in memory by the bytes received, so slow clients hold little. At the
 * `total`, an owner with fewer bytes evicts the largest body still arriving of the owner with the most.
 */
export function createHeldBodies({ total, each }: { total: number; each: number }) {
  const entries = new Set<Entry>();
  const ofOwner = new Map<string, number>();
  let held = 0;

  const heldBy = (owner: string) => ofOwner.get(owner) ?? 0;

  function count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    held += bytes;
    const sum = heldBy(entry.owner) + bytes;
    if (sum > 0) ofOwner.set(entry.owner, sum);
    else ofOwner.delete(entry.owner);
  }

  function release(entry: Entry): void {
    if (entries.delete(entry)) count(entry, -entry.bytes);
  }

  function endLargest(own: number): void {
    const [largest] = [...entries]
      .filter(({ end, bytes }) => end !== undefined && bytes > 0)
      .sort((one, other) => heldBy(other.owner) - heldBy(one.owner) || other.bytes - one.bytes);
    if (!largest || heldBy(largest.owner) <= own) refuse('UNAVAILABLE', REFUSAL);
    release(largest);
    largest.end?.(refusal('UNAVAILABLE', REFUSAL));
  }

  function add(entry: Entry, bytes: number): void {
    const own = heldBy(entry.owner) + bytes;
    if (own > each) refuse('TOO_MANY_REQUESTS', OWN_REFUSAL);
    for (;;) {
      if (held + bytes <= total) return count(entry, bytes);
      endLargest(own);
    }
  }

  async function* arrive(stream: ReadableStream<Uint8Array>, entry: Entry, most: number) {
    const reader = stream.getReader();
    let refused: Refusal | undefined;
    entry.end = (why) => {
      refused = why;
      // Not `cancel`: that would close the connection before the client could read the refusal.
      reader.releaseLock();
    };
    entries.add(entry);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (entry.bytes + value.length > most) refuse('BODY_TOO_LARGE');
        add(entry, value.length);
        yield value;
      }
    } catch (error) {
      throw refused ?? error;
    } finally {
      entry.end = undefined;
      reader.releaseLock();
    }
  }

  return {
    /**
     * Opens a body without reading it. Refuses with BODY_TOO_LARGE when Content-Length exceeds `most` bytes.
     * @param owner key that the bytes are counted under, such as the client's address
     */
    open(request: Request, most: number, owner: string): HeldBody {
      const { headers } = request;
      const announced = headers.has('transfer-encoding') ? null : headers.get('content-length');
      if (Number(announced) > most) refuse('BODY_TOO_LARGE');
      const entry: Entry = { owner, bytes: 0 };
      return {
        announced: Number(announced),
        async *chunks() {
          if (request.body) yield* arrive(request.body, entry, most);
        },
        async bytes() {
          const isSmall = announced !== null && Number(announced) <= SMALL_BYTES;
          if (isSmall) return new Uint8Array(await request.arrayBuffer());
          const whole = collect(most, Number(announced));
          for await (const chunk of this.chunks()) whole.add(chunk);
          return whole.bytes();
        },
        [Symbol.dispose]: () => release(entry),
      };
    },
  };
}

export type HeldBodies = ReturnType<typeof createHeldBodies>;

export type Collected = ReturnType<typeof collect>;

/** Share of an announced size that must have arrived before memory for all of it is reserved. */
const RESERVING_SHARE = 1 / 8;

/**
 * Concatenates chunks; the caller must refuse more than `most` bytes. An array of chunks makes V8 collect the
 * whole heap repeatedly.
 * @param announced size in Content-Length, which saves copies; 0 if unknown
 */
export function collect(most: number, announced = 0) {
  let bytes = Buffer.allocUnsafeSlow(Math.min(65_536, most));
  let length = 0;
  return {
    add(chunk: Uint8Array): void {
      if (length + chunk.length > bytes.length) {
        const needed = length + chunk.length;
        const isCertain = needed >= announced * RESERVING_SHARE && announced <= most;
        const size = Math.max(Math.min(2 * bytes.length, most), needed, isCertain ? announced : 0);
        const larger = Buffer.allocUnsafeSlow(size);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      bytes.set(chunk, length);
      length += chunk.length;
    },
    bytes: (): Buffer<ArrayBuffer> => bytes.subarray(0, length),
  };
}
