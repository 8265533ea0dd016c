import { quantile, type Row } from './stats.ts';

/** Sends one request that differs for each `index`; resolves to its milliseconds. */
export type Probe = (index: number) => Promise<number>;

export interface Growth {
  what: string;
  few: Probe;
  many: Probe;
  goal?: Row['goal'];
  note?: string;
}

const CHUNKS = 4;
/** Time for the requests of one kind to the larger site: slow requests are repeated less often. */
const BUDGET_MS = 20_000;
const MIN_REQUESTS = 4;

/**
 * Returns the latencies of `many` divided by those of `few`, p50 and p99. Requests alternate between the two,
 * so other load on the machine affects both.
 * @param options `warmUp`: requests before the measured ones; `hasTimes`: whether the note is the latencies
 */
export async function measureGrowth(
  { what, few, many, goal, note }: Growth,
  requests: number,
  { warmUp = 60, hasTimes = false } = {},
): Promise<Row[]> {
  const times = { few: [] as number[], many: [] as number[] };
  const affordable = Math.floor(BUDGET_MS / (await many(0)));
  const count = Math.max(MIN_REQUESTS, Math.min(requests, affordable));
  const skipped = Math.min(warmUp, Math.floor(count / 4));
  for (let index = 0; index < skipped + count; index++) {
    for (const [size, probe] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const time = await probe(index);
      if (index >= skipped) times[size].push(time);
    }
  }
  return (['p50', 'p99'] as const).map((name) => {
    const q = name === 'p50' ? 0.5 : 0.99;
    const said = hasTimes
      ? `${quantile(times.many, q).toFixed(1)} ms against ${quantile(times.few, q).toFixed(1)}`
      : note;
    return {
      what: what.replace('%', name),
      ratio: quantile(times.many, q) / quantile(times.few, q),
      spread: inChunks(times, q),
      ...(goal && { goal }),
      ...(said !== undefined && { note: said }),
    };
  });
}

function inChunks({ few, many }: { few: number[]; many: number[] }, q: number): [number, number] {
  const size = Math.floor(few.length / CHUNKS);
  const ratios = Array.from({ length: CHUNKS }, (_, index) => {
    const part = (values: readonly number[]) => quantile(values.slice(index * size, (index + 1) * size), q);
    return part(many) / part(few);
  });
  return [Math.min(...ratios), Math.max(...ratios)];
}
