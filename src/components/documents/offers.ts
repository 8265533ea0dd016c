import type { Site } from '../../lib/blog/blog.ts';
import type { OptionalCall } from '../../lib/contract/calls/calls.ts';

/** Whether the server behind the pages supports `call`; only edge fronts may have one that does not. */
export const offers = ({ missingCalls = '' }: Site, call: OptionalCall): boolean =>
  !missingCalls.split(' ').includes(call);
