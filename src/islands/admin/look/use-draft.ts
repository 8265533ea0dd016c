import { useState } from 'react';
import type { Look } from '../../../lib/contract/rules/looks.ts';
import type { LookValue } from './LookFields.tsx';

const MAX_UNDO = 100;

interface Draft {
  now: Look;
  past: readonly Look[];
  /** Path of the last change: further changes there, as of a slider, are undone together. */
  path: string;
}

/** The look that is being edited, with undo. */
export function useDraft(first: Look) {
  const [{ now, past, path: last }, setDraft] = useState<Draft>({ now: first, past: [], path: '' });
  return {
    look: now,
    canUndo: past.length > 0,
    /** Starts from a look. The one before can be had again with `undo`. */
    choose: (look: Look) => setDraft({ now: look, past: [...past, now].slice(-MAX_UNDO), path: '' }),
    /** @param path names of the part and of the groups around it, with dots */
    change(path: string, value: string | number): void {
      // A look has texts, numbers and groups of texts and numbers; its schema defines the fields.
      const changed = changedAt(now, path.split('.'), value) as Look;
      setDraft({ now: changed, past: path === last ? past : [...past, now].slice(-MAX_UNDO), path });
    },
    undo: () => setDraft({ now: past.at(-1) ?? now, past: past.slice(0, -1), path: '' }),
  };
}

function changedAt(value: LookValue, [name, ...rest]: string[], next: string | number): LookValue {
  if (name === undefined || typeof value !== 'object') return next;
  return { ...value, [name]: changedAt(value[name] ?? '', rest, next) };
}
