import { atom, type ReadableAtom } from 'nanostores';
import { explain } from '../client/call-error.ts';
import type { CallInput } from '../contract/calls/calls.ts';
import type { Series } from '../contract/entities.ts';
import { call } from './api.ts';

interface SeriesState {
  series: readonly Series[] | null;
  problem: string;
}

export type SeriesFields = CallInput<'seriesCreate'>;

/** The signed-in user's series. A change that fails throws `CallError` and leaves the list as it was. */
export interface OwnSeries {
  $series: ReadableAtom<SeriesState>;
  load(): Promise<void>;
  create(fields: SeriesFields): Promise<Series>;
  edit(id: string, fields: SeriesFields): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createOwnSeries(username: string): OwnSeries {
  const $series = atom<SeriesState>({ series: null, problem: '' });
  const change = (work: (series: readonly Series[]) => readonly Series[]) =>
    $series.set({ series: work($series.get().series ?? []), problem: '' });
  return {
    $series,
    async load() {
      try {
        const { result } = await call('seriesList', { username }, { quiet: true });
        $series.set({ series: result, problem: '' });
      } catch (error) {
        $series.set({ ...$series.get(), problem: explain(error, '没有加载成功，请稍后再试') });
      }
    },
    async create(fields) {
      const made = await call('seriesCreate', fields, { quiet: true });
      change((series) => [made, ...series]);
      return made;
    },
    async edit(id, fields) {
      const changed = await call('seriesEdit', { id, ...fields }, { quiet: true });
      change((series) => series.map((each) => (each._id === id ? changed : each)));
    },
    async remove(id) {
      await call('seriesDelete', { id });
      change((series) => series.filter(({ _id }) => _id !== id));
    },
  };
}
