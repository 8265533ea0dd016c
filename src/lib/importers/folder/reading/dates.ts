import { posix } from 'node:path';
import { readDate, splitDatedName } from '../../../markdown-file/dates.ts';
import { pickEntries, type Metadata } from '../../../markdown-file/front-matter.ts';
import { shown } from '../../../markdown-file/read-visibility.ts';
import { CREATED, SCHEDULED, UPDATED } from '../front-matter-names.ts';

/** Names that other generators use as switches. */
const SWITCHES = /^(?:published|updated|last_?updated|modified|posted|created)$/i;

/**
 * Reads the dates of an article from its front matter, otherwise from the names of its file and folders.
 * @param sitePath path from the folder of the site
 * @param warnings receives a Chinese sentence for each date that cannot be read
 * @returns milliseconds since the epoch, undefined if nothing gives a date; `isScheduled` if front matter
 * names a day in the future
 */
export function readDates(
  { metadata, sitePath, zone, now }: { metadata: Metadata; sitePath: string; zone: string; now: number },
  warnings: string[],
) {
  const stated = datesIn(metadata, CREATED, zone);
  const updates = datesIn(metadata, UPDATED, zone);
  const scheduled = datesIn(metadata, SCHEDULED, zone);
  const named = dateInPath(sitePath, zone);
  const [first] = stated.read;
  const instead = first ? `改用“${first.name}”` : named === undefined ? '改用文件的日期' : '改用路径里的日期';
  warnings.push(...stated.lost.map((date) => `无法识别的日期“${date}”，${instead}`));
  warnings.push(...[...updates.lost, ...scheduled.lost].map((date) => `无法识别的日期“${date}”，没有使用`));
  const created = first?.date ?? named;
  const others = [...stated.read, ...scheduled.read].map(({ date }) => date);
  const isScheduled = [created ?? 0, ...others].some((date) => date > now);
  return { created, updated: updates.read[0]?.date, isScheduled };
}

function datesIn(metadata: Metadata, names: readonly string[], zone: string) {
  const read: { name: string; date: number }[] = [];
  const lost: string[] = [];
  for (const [name, value] of pickEntries(metadata, names)) {
    if (value === false || (value === true && SWITCHES.test(name))) continue;
    const date = readDate(value, zone);
    if (date === null) lost.push(shown(name, value));
    else read.push({ name, date });
  }
  return { read, lost };
}

/** Returns the date in a file's name, else in the nearest folder's, else in folders for year, month, day. */
function dateInPath(path: string, zone: string): number | undefined {
  const names = [path.replace(/\.[^./]*$/, ''), ...foldersOf(path)].map((each) => posix.basename(each));
  const dated = names.map((name) => splitDatedName(name, zone)).find((found) => found !== null);
  if (dated) return dated.date;
  const [, year, month, day] = /(?:^|\/)((?:19|20)\d\d)\/(\d{1,2})\/(\d{1,2})\//.exec(path) ?? [];
  return readDate(`${year}-${month}-${day}`, zone) ?? undefined;
}

/** Returns the folders of a path, the nearest first. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' || folder === '/' ? [] : [folder, ...foldersOf(folder)];
}
