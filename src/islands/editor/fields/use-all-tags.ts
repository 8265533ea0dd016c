import { useRef, useState } from 'react';
import { call } from '../../../lib/stores/api.ts';

/** Names of the most used tags, loaded once on first use. A failed load is retried on the next use. */
export function useAllTags() {
  const [all, setAll] = useState<readonly string[]>([]);
  const isAsked = useRef(false);
  return {
    all,
    load(): void {
      if (isAsked.current) return;
      isAsked.current = true;
      const forget = () => void (isAsked.current = false);
      call('allTags', {}, { quiet: true }).then(setAll, forget);
    },
  };
}
