/** The stores, for tests that make more calls than a reader could; see stores-in-page.ts. */
export { call, freshToken, goToSignIn, signOut } from '../../src/lib/stores/api.ts';
export { $inflight } from '../../src/lib/stores/inflight.ts';
export { $session } from '../../src/lib/stores/account/session.ts';
export { $unread } from '../../src/lib/stores/comments/unread.ts';
