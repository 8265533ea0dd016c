import { pino, type Logger } from 'pino';

/** Structured log: one JSON object a line. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'isLevelEnabled'>;

/** A log on standard output, from `level` up. */
export function createLog(level: 'silent' | 'error' | 'warn' | 'info' | 'debug'): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

const TOKEN = /eyJ[\w-]+(?:\.[\w-]*)*/g;
const SECRET_PARAMETER = /([?&](?:token|refresh_token|access_token|password)=)[^&#]*/gi;

/** A request's path and query fit for a log: what may be a token or password reads `[redacted]`. */
export function redactUrl(url: string): string {
  const shown = redact(url.slice(0, 2048));
  const end = `${shown}?`.indexOf('?');
  const [path, query] = [shown.slice(0, end), shown.slice(end)];
  // The same names and tokens can be spelt with escapes; then nothing of the part they are in is shown.
  return `${hidesSecret(path) ? '/[redacted]' : path}${hidesSecret(query) ? '?[redacted]' : query}`;
}

const redact = (text: string) => text.replace(SECRET_PARAMETER, '$1[redacted]').replace(TOKEN, '[redacted]');

function hidesSecret(part: string): boolean {
  const plain = part.replace(/%[0-9a-f]{2}/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return redact(plain) !== plain;
}
