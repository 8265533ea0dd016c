/** Needed parts of a large package, loaded in browsers without crypto.subtle. */
export { pbkdf2 } from '@noble/hashes/pbkdf2.js';
export { sha256 } from '@noble/hashes/sha2.js';
