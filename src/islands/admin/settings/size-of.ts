import { MIB } from '../../../lib/contract/rules/units.ts';

/** Formats a number of bytes. */
export const sizeOf = (bytes: number): string =>
  bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(1)} MB` : `${(bytes / MIB / 1024).toFixed(2)} GB`;
