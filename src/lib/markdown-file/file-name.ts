import { splitDatedName } from './dates.ts';

/** Id of 32 hexadecimal digits that Notion appends to the names of exported files and folders. */
export const NOTION_ID = /[ _-]([0-9a-f]{32})$/;

/** Returns the title in the name of a file or folder, without a date before it and Notion's id behind it. */
export function titleIn(name: string): string {
  const bare = name.replace(NOTION_ID, '') || name;
  return splitDatedName(bare)?.rest || bare;
}
