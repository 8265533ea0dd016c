import { pino, type Logger } from 'pino';

/** Structured log: one JSON object a line. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** A log on standard output, from `level` up. */
export function createLog(level: 'silent' | 'error' | 'warn' | 'info' | 'debug'): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

const TOKEN = /eyJ[\w-]+(?:\.[\w-]*)*/g;
const SECRET_PARAMETER = /([?&](?:token|refresh_token|access_token|password)=)[^&#]*/gi;

/** A request's path and query fit for a log: what may be a token or password reads `[redacted]`. */
export function redactUrl(url: string): string {
  return url.slice(0, 2048).replace(SECRET_PARAMETER, '$1[redacted]').replace(TOKEN, '[redacted]');
}
