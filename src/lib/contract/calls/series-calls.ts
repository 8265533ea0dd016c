import { z } from 'zod';
import { BOUNDS } from '../rules/bounds.ts';
import { byId, notice, open, signedIn } from './call.ts';
import { listOf, Series, SeriesDetail } from '../entities.ts';
import {
  absentField,
  countedList,
  coverField,
  idField,
  seriesDescriptionField,
  seriesTitleField,
  someText,
} from '../fields.ts';

const seriesFields = {
  title: seriesTitleField,
  description: absentField(seriesDescriptionField.default('')),
  cover: absentField(coverField.default('')),
};

export const seriesCalls = {
  /** Returns all of the caller's series; of another user's, only those with readable articles. */
  seriesList: open('read', z.object({ username: someText }), listOf(Series)),
  seriesDetail: open('read', byId, SeriesDetail),
  seriesCreate: signedIn('write', z.object(seriesFields), Series),
  seriesEdit: signedIn('write', z.object({ id: idField, ...seriesFields }), Series),
  /** Articles that are not listed keep their order after those that are. */
  seriesOrder: signedIn(
    'write',
    z.object({
      id: idField,
      ids: countedList(
        idField,
        '文章编号',
        [0, BOUNDS.seriesArticles],
        `一个专栏最多排 ${BOUNDS.seriesArticles} 篇文章`,
      ),
    }),
    notice,
  ),
  seriesDelete: signedIn('write', byId, notice),
};
