import { authDefences } from './defences-of-accounts.ts';
import type { Defence } from './defence.ts';
import { dataDefences } from './defences-of-data.ts';
import { requestDefences } from './defences-of-requests.ts';
import { textDefences } from './defences-of-texts.ts';
import { writerDefences } from './defences-of-writers.ts';

/** Every defence that `npm run trust` switches off. */
export const defences: readonly Defence[] = [
  ...requestDefences,
  ...textDefences,
  ...writerDefences,
  ...authDefences,
  ...dataDefences,
];
