import { refuse } from '../../../contract/rules/errors.ts';
import type { Services } from '../../services.ts';
import { answerWith, type Handlers } from '../handler.ts';

export const seriesHandlers = ({ series, users }: Services) =>
  ({
    seriesList: async ({ input, viewer }) => {
      const user = await users.findShown(input.username);
      return user ? series.list(user._id, viewer) : { result: [], total: 0 };
    },
    seriesDetail: async ({ input, viewer }) => {
      const found = (await series.find(input.id, viewer)) ?? refuse('SERIES_NOT_FOUND');
      return { ...found.series, articles: found.articles.map(({ item }) => item) };
    },
    seriesCreate: ({ input, viewer }) => series.create(input, viewer),
    seriesEdit: ({ input, viewer }) => series.edit(input, viewer),
    seriesOrder: answerWith('专栏的顺序已保存', ({ input, viewer }) => series.order(input, viewer)),
    seriesDelete: answerWith('专栏已删除', ({ input, viewer }) => series.remove(input.id, viewer)),
  }) satisfies Partial<Handlers>;
