import type { OptionalCall } from '../contract/calls/calls.ts';

/**
 * Whether the server supports `call`, according to the page. Calls can be missing only if an edge server
 * renders the page for another server.
 */
export function isOffered(call: OptionalCall): boolean {
  return !(document.documentElement.dataset['missingCalls'] ?? '').split(' ').includes(call);
}
