import { formatMinute } from '../../../lib/shared/time.ts';
import type { Schedule } from '../../../lib/contract/entities.ts';
import { Mark } from './Mark.tsx';

/** Publication time of scheduled content, or why publishing failed; renders nothing without a schedule. */
export function ScheduleNote({ schedule }: { schedule: Schedule | undefined }) {
  if (!schedule) return null;
  const { publish_time, problem } = schedule;
  if (problem !== undefined)
    return <span className="block text-sm text-vermilion">定时发布失败：{problem}</span>;
  return (
    <Mark>
      <time dateTime={publish_time}>{formatMinute(publish_time)}</time> 发布
    </Mark>
  );
}
