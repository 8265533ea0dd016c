import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState } from 'react';
import { isOffered } from '../../lib/client/offered.ts';
import type { Schedule } from '../../lib/contract/entities.ts';
import { call } from '../../lib/stores/api.ts';
import type { Draft } from '../../lib/stores/draft.ts';

/** When the text will be published, null where it will not or that is not known; `look` asks the server. */
export function useSchedule(draft: Draft): { schedule: Schedule | null; look(): void } {
  const id = useStore(draft.$id);
  const [schedule, setSchedule] = useState<Schedule | null>(null);
  const look = useCallback(() => {
    if (id === null || !isOffered('scheduleSet')) return;
    call('scheduleFind', { id }, { quiet: true, background: true }).then(
      (found) => setSchedule(found.schedule),
      // Without a network the writer sees what was known last.
      () => undefined,
    );
  }, [id]);
  useEffect(() => {
    look();
    // Published by hand, it waits no longer.
    const unlisten = draft.$status.listen(look);
    // Published meanwhile, or scheduled in another window.
    addEventListener('focus', look);
    return () => {
      unlisten();
      removeEventListener('focus', look);
    };
  }, [draft, look]);
  return { schedule, look };
}
