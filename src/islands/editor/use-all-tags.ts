import { useRef, useState } from 'react';
import { call } from '../../lib/stores/api.ts';

/** The names of all tags, asked for once when first needed; again where that failed. */
export function useAllTags(): { all: readonly string[]; load(): void; add(name: string): void } {
  const [all, setAll] = useState<readonly string[]>([]);
  const isAsked = useRef(false);
  return {
    all,
    load() {
      if (isAsked.current) return;
      isAsked.current = true;
      const forget = () => void (isAsked.current = false);
      call('allTags', {}, { quiet: true }).then(
        (names) => setAll((made) => [...new Set([...made, ...names])]),
        forget,
      );
    },
    add: (name) => setAll((names) => [...new Set([...names, name])]),
  };
}
