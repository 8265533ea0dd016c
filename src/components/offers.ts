import type { Site } from '../lib/blog/blog.ts';
import type { CallName } from '../lib/contract/calls.ts';

/** Whether the server behind the pages of `site` knows `call`; only edge fronts have others' servers. */
export const offers = ({ missingCalls = '' }: Site, call: CallName): boolean =>
  !missingCalls.split(' ').includes(call);
