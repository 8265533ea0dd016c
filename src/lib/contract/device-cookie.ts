import { calls } from './calls.ts';

/** Cookie by which a browser that has signed in is recognised when it signs in again. */
export const DEVICE_COOKIE = 'moye-device';

/** Paths of the calls that read and set it. */
export const DEVICE_CALLS: readonly string[] = [calls.signin.path, calls.signup.path];
