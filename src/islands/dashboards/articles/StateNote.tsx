import { Mark } from './Mark.tsx';

/** State of an article or its change after the title, and the reason of staff below. */
export function StateNote({ note = '' }: { note?: string | undefined }) {
  const [, state, reason] = /^([^：]*)(?:：(.*))?$/s.exec(note) ?? [];
  if (!state) return null;
  return (
    <>
      <Mark>{state}</Mark>
      {reason && <bdi className="block text-sm text-soft">{reason}</bdi>}
    </>
  );
}
