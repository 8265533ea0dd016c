import type { Authored } from '../../../contract/rules/authored-fields.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import type { CallInput } from '../../../contract/calls/calls.ts';
import { isRefusal, refuse } from '../../../contract/rules/errors.ts';
import type { SettingsOutcome } from '../../../contract/calls/article-calls.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { AppParts } from '../../services.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

type Change = Omit<CallInput<'articleSettings'>, 'ids'>;

export function createSettingsService({ articles }: Pick<AppParts, 'articles'>) {
  return {
    /**
     * Changes settings of the viewer's articles and of their unpublished revisions, one article at a time. A
     * refusal does not stop the others, except if the server has no space or no time (5xx).
     */
    async change(
      { ids, ...change }: CallInput<'articleSettings'>,
      viewer: Viewer,
      saved_by?: string,
    ): Promise<SettingsOutcome[]> {
      const results: SettingsOutcome[] = [];
      let stopped: string | null = null;
      for (const id of new Set(ids)) {
        if (stopped !== null) {
          results.push({ id, outcome: 'refused', problem: stopped });
          continue;
        }
        try {
          const amendment = { status: change.status, change: changeBy(change), saved_by };
          const amended = await articles.amend(id, viewer, amendment);
          results.push({
            id,
            outcome: amended === 'same' ? amended : 'changed',
            ...(amended === 'pending' ? { pending: true } : {}),
          });
        } catch (error) {
          if (!isRefusal(error)) throw error;
          if (error.status >= 500) stopped = error.message;
          results.push({ id, outcome: 'refused', problem: error.message });
        }
      }
      return results;
    },
  };
}

const changeBy =
  ({ secret, comments_closed, series, tags_add, tags_remove }: Change) =>
  (fields: Authored): Authored => {
    const removed = new Set(tags_remove);
    const tags = [...new Set([...fields.tags, ...tags_add])].filter((name) => !removed.has(name));
    if (tags.length > BOUNDS.tags[1]) refuse('FIELD_INVALID', { text: '标签不能超过 10 个', field: 'tags' });
    return {
      ...fields,
      tags,
      ...(secret === undefined ? {} : { secret }),
      ...(comments_closed === undefined ? {} : { comments_closed }),
      ...(series === undefined ? {} : { series }),
    };
  };
