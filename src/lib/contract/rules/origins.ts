/** What writes posts without a client: recorded instead of an address. */
const ORIGIN_NAMES: Readonly<Record<string, string>> = {
  schedule: '定时发布',
  import: '导入',
  site: '新站的示例文章',
};

/** Address of the client that writes, or a key of `ORIGIN_NAMES`; null if the text was recorded before. */
export type Origin = string | null;

/** Text for an address of a record. */
export const originText = (address: string): string => ORIGIN_NAMES[address] ?? address;
