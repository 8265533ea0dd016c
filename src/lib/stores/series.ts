import type { CallInput } from '../contract/calls/calls.ts';
import type { Series } from '../contract/entities.ts';
import { createAnswer } from './answer.ts';
import { call } from './api.ts';

export type SeriesFields = CallInput<'seriesCreate'>;
export type OwnSeries = ReturnType<typeof createOwnSeries>;

/** The signed-in user's series. A change that fails throws `CallError` and leaves the list as it was. */
export function createOwnSeries(username: string) {
  const { $answer, load, change } = createAnswer<readonly Series[]>(
    async () => (await call('seriesList', { username }, { quiet: true })).result,
  );
  return {
    $series: $answer,
    load,
    async create(fields: SeriesFields): Promise<Series> {
      const made = await call('seriesCreate', fields, { quiet: true });
      change((series) => [made, ...(series ?? [])]);
      return made;
    },
    async edit(id: string, fields: SeriesFields): Promise<void> {
      const changed = await call('seriesEdit', { id, ...fields }, { quiet: true });
      change((series) => (series ?? []).map((each) => (each._id === id ? changed : each)));
    },
    async remove(id: string): Promise<void> {
      await call('seriesDelete', { id });
      change((series) => (series ?? []).filter(({ _id }) => _id !== id));
    },
  };
}
