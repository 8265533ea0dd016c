// Not from units.ts: this module is inlined into the script of every page.
export const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Formats the age of something (docs/pages.md): 刚刚, N 分钟前, N 小时前, N 天前, MM月DD日 within the
 * year, else YYYY-MM-DD.
 * @param age milliseconds; up to an hour in the future counts as now because clocks differ, beyond that as a
 * date
 * @param minute the same time as YYYY-MM-DD HH:mm in the blog's time zone, which determines the year
 */
export function relativeTime(age: number, minute: string): string {
  if (age > -HOUR_MS) {
    if (age < MINUTE_MS) return '刚刚';
    if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} 分钟前`;
    if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} 小时前`;
    if (age < 7 * DAY_MS) return `${Math.floor(age / DAY_MS)} 天前`;
  }
  // The current local time of the zone, derived without its name.
  const now = new Date(age + Date.parse(`${minute.replace(' ', 'T')}Z`)).toJSON();
  const day = minute.slice(0, 'YYYY-MM-DD'.length);
  return day.startsWith(now.slice(0, 4)) ? `${day.slice(5).replace('-', '月')}日` : day;
}
