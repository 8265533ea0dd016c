import { useRef, useState } from 'react';
import { call } from '../../../lib/stores/api.ts';

interface AllTags {
  all: readonly string[];
  load(): void;
}

/** Names of the most used tags, loaded once on first use. A failed load is retried on the next use. */
export function useAllTags(): AllTags {
  const [all, setAll] = useState<readonly string[]>([]);
  const isAsked = useRef(false);
  return {
    all,
    load() {
      if (isAsked.current) return;
      isAsked.current = true;
      const forget = () => void (isAsked.current = false);
      call('allTags', {}, { quiet: true }).then(setAll, forget);
    },
  };
}
