import { useRef, useState } from 'react';
import { BOUNDS } from '../../lib/contract/bounds.ts';
import { call } from '../../lib/stores/api.ts';

interface AllTags {
  all: readonly string[];
  load(): void;
  add(name: string): void;
  /** Whether a tag of that name exists outside `all`: a site may have more than it lists. */
  exists(name: string): Promise<boolean>;
}

/** The names of the tags used most, asked for once when first needed; again where that failed. */
export function useAllTags(): AllTags {
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
    exists(name) {
      if (all.length < BOUNDS.tagNames) return Promise.resolve(false);
      return call('tagDetail', { name }, { quiet: true }).then(
        () => true,
        () => false,
      );
    },
    add: (name) => setAll((names) => [...new Set([...names, name])]),
  };
}
