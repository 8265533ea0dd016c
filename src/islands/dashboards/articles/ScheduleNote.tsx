import { formatMinute } from '../../../lib/shared/time.ts';
import type { Schedule } from '../../../lib/contract/entities.ts';

/** Publication time of scheduled content, or why publishing failed; renders nothing without a schedule. */
export function ScheduleNote({ schedule }: { schedule: Schedule | undefined }) {
  if (!schedule) return null;
  const { publish_time, problem } = schedule;
  if (problem !== undefined)
    return <span className="ml-2 text-sm text-vermilion">定时发布失败：{problem}</span>;
  return (
    <span className="badge ml-2 align-middle tabular-nums">
      <time dateTime={publish_time}>{formatMinute(publish_time)}</time> 发布
    </span>
  );
}
