const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago something was, DESIGN.md §4: 刚刚, N 分钟前, N 小时前, N 天前, MM月DD日 within the year, else YYYY-MM-DD.
 * @param instant milliseconds since 1970. Up to an hour ahead counts as now, because clocks differ; further ahead it is a date
 * @param minute the same instant as YYYY-MM-DD HH:mm in the blog's time zone, whose calendar decides on day and year
 */
export function relativeTime(instant: number, minute: string, now: number): string {
  const age = now - instant;
  if (age > -HOUR) {
    if (age < MINUTE) return '刚刚';
    if (age < HOUR) return `${Math.floor(age / MINUTE)} 分钟前`;
    if (age < DAY) return `${Math.floor(age / HOUR)} 小时前`;
    if (age < 7 * DAY) return `${Math.floor(age / DAY)} 天前`;
  }
  // What the zone's clock is ahead of UTC tells its present year, without its name.
  const there = new Date(now + Date.parse(`${minute.replace(' ', 'T')}Z`) - instant);
  const isThisYear = there.getUTCFullYear() === +minute.slice(0, 4);
  return isThisYear ? `${minute.slice(5, 7)}月${minute.slice(8, 10)}日` : minute.slice(0, 10);
}
