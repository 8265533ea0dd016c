import { quantile, type Row } from './stats.ts';

/** Asks once, differently for each `index`; resolves to the milliseconds it took. */
export type Probe = (index: number) => Promise<number>;

/** One thing asked of two databases. */
export interface Growth {
  what: string;
  few: Probe;
  many: Probe;
  goal?: Row['goal'];
  note?: string;
}

const WARM_UP = 60;
const CHUNKS = 4;

/**
 * Latencies of `many` over those of `few`, p50 and p99; the two are asked in turn, so that the machine's
 * moods fall on both.
 */
export async function measureGrowth(
  { what, few, many, goal, note }: Growth,
  requests: number,
): Promise<Row[]> {
  const times = { few: [] as number[], many: [] as number[] };
  for (let index = 0; index < requests + WARM_UP; index++) {
    for (const [size, probe] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const time = await probe(index);
      if (index >= WARM_UP) times[size].push(time);
    }
  }
  return (['p50', 'p99'] as const).map((name) => {
    const q = name === 'p50' ? 0.5 : 0.99;
    return {
      what: what.replace('%', name),
      ratio: quantile(times.many, q) / quantile(times.few, q),
      spread: inChunks(times, q),
      ...(goal && { goal }),
      ...(note !== undefined && { note }),
    };
  });
}

/** Smallest and largest ratio over parts of the run. */
function inChunks({ few, many }: { few: number[]; many: number[] }, q: number): [number, number] {
  const size = Math.floor(few.length / CHUNKS);
  const ratios = Array.from({ length: CHUNKS }, (_, index) => {
    const part = (values: readonly number[]) => quantile(values.slice(index * size, (index + 1) * size), q);
    return part(many) / part(few);
  });
  return [Math.min(...ratios), Math.max(...ratios)];
}
