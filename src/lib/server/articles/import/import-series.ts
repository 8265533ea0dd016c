import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { isRefusal } from '../../../contract/rules/errors.ts';
import { takeGraphemes } from '../../../shared/graphemes.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import { newId } from '../../shared/ids.ts';
import type { SeriesService } from '../series/series-service.ts';

export function createImportSeries(series: SeriesService) {
  return {
    /**
     * Returns the author's series of that name and creates a missing one; a dry run returns a made-up id
     * instead. `loss` says in Chinese what was cut, or why there is no series.
     */
    async series(
      viewer: Viewer,
      name: string,
      { isDryRun }: { isDryRun: boolean },
    ): Promise<{ id: string | null; loss: string | null }> {
      const whole = name.normalize('NFC').replace(/\s+/g, ' ').trim();
      const title = takeGraphemes(whole, BOUNDS.seriesTitle[1]);
      const loss = title === whole ? null : `专栏名超过 ${BOUNDS.seriesTitle[1]} 个字符，已截短：${whole}`;
      const { result } = await series.list(viewer.id, viewer);
      const known = result.find((each) => each.title === title);
      if (known) return { id: known._id, loss };
      if (result.length >= BOUNDS.series)
        return { id: null, loss: `专栏已有 ${BOUNDS.series} 个，没有新建：${title}` };
      if (isDryRun) return { id: newId(), loss };
      try {
        return { id: (await series.create({ title, description: '', cover: '' }, viewer))._id, loss };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { id: null, loss: `专栏“${title}”没有新建（${error.message}）` };
      }
    },

    /** Puts the articles of the viewer's series in the order of `ids`. Refuses as `SeriesService.order`. */
    orderSeries: (viewer: Viewer, id: string, ids: string[]): Promise<void> =>
      series.order({ id, ids }, viewer),
  };
}
