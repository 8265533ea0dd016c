// Modules that reader pages load keep their own copies: bundlers make this one a separate chunk.
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 604_800_000;

export const MINUTE_S = 60;
export const HOUR_S = 3_600;
export const DAY_S = 86_400;
export const YEAR_S = 31_536_000;

export const KIB = 1_024;
export const MIB = 1_048_576;
export const GIB = 1_073_741_824;
