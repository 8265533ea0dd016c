import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState } from 'react';
import { isOffered } from '../../../lib/client/offered.ts';
import type { Schedule } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import type { Draft } from '../../../lib/stores/draft/draft.ts';

/** Publication time of the text; null without a schedule, or if it is unknown. `look` reloads it. */
export function useSchedule(draft: Draft): { schedule: Schedule | null; look(): void } {
  const id = useStore(draft.$id);
  const [schedule, setSchedule] = useState<Schedule | null>(null);
  const look = useCallback(() => {
    if (id === null || !isOffered('scheduleSet')) return;
    call('scheduleFind', { id }, { quiet: true, background: true }).then(
      (found) => setSchedule(found.schedule),
      // Keeps the last known state while offline.
      () => undefined,
    );
  }, [id]);
  useEffect(() => {
    look();
    // Publishing manually removes the schedule.
    const unlisten = draft.$status.listen(look);
    // It may have been published, or scheduled in another window.
    addEventListener('focus', look);
    return () => {
      unlisten();
      removeEventListener('focus', look);
    };
  }, [draft, look]);
  return { schedule, look };
}
