import type { IncomingMessage } from 'node:http';

/** What a proxy adds to what it passes on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Whether a program on this machine asks, and no proxy on it that says it speaks for others. */
export const isLocal = ({ socket, headers }: IncomingMessage): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDED.every((name) => !(name in headers));
