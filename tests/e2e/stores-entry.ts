/** The stores, for tests that call in numbers no reader could; see stores-in-page.ts. */
export { call, freshToken, goToSignIn, signOut } from '../../src/lib/stores/api.ts';
export { $inflight } from '../../src/lib/stores/inflight.ts';
export { $session } from '../../src/lib/stores/session.ts';
export { $unread } from '../../src/lib/stores/unread.ts';
