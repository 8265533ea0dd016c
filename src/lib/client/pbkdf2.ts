/** What is needed of a large package, loaded where a browser has no crypto.subtle. */
export { pbkdf2 } from '@noble/hashes/pbkdf2.js';
export { sha256 } from '@noble/hashes/sha2.js';
