import { WITHHELD_NAMES, type WithheldState } from '../../lib/contract/moderation.ts';

interface Props {
  state: WithheldState;
  /** What staff tells the writer, or nothing. */
  note?: string | undefined;
}

/** Says to its writer that nobody else sees something, and why. */
export function Withheld({ state, note }: Props) {
  return (
    <span className="badge whitespace-normal" dir="auto">
      {WITHHELD_NAMES[state] + (note ? `：${note}` : '')}
    </span>
  );
}
