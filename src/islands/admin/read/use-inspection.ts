import { useEffect, useEffectEvent, useState } from 'react';
import { isCallError } from '../../../lib/client/call-error.ts';
import type { Inspection } from '../../../lib/contract/calls/inspection-call.ts';
import { call } from '../../../lib/stores/api.ts';
import { $seen, noteRead, readKey, type Opened, type Seen } from '../../../lib/stores/staff-reads.ts';

interface Reading {
  read: Inspection | null;
  /** The item as staff had seen it before. */
  seen: Seen | undefined;
  problem: string;
}

/**
 * Reads an item whole, and again when another object for it is opened. Calls `refresh` if the list shows
 * another version.
 */
export function useInspection(opened: Opened, refresh: () => void): Reading {
  const [reading, setReading] = useState<Reading>({ read: null, seen: undefined, problem: '' });
  const show = useEffectEvent((read: Inspection) => {
    setReading({ read, seen: $seen.get()[readKey(read)], problem: '' });
    if (noteRead(read)) refresh();
  });
  useEffect(() => {
    let isCurrent = true;
    call('staffRead', { kind: opened.kind, id: opened._id }, { quiet: true }).then(
      (read) => isCurrent && show(read),
      (error: unknown) => {
        const problem = isCallError(error) ? error.message : '没有加载成功，请再试一次';
        if (isCurrent) setReading((former) => ({ ...former, problem }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [opened]);
  return reading;
}
