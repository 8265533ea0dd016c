import { pino, type Logger } from 'pino';
import { KIB, MIB } from '../../contract/rules/units.ts';
import { ACCESS_TOKEN_PREFIX, unescaped } from './access-token.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'isLevelEnabled' | 'flush'>;

/**
 * Buffers lines: bytes, and milliseconds until they are written. A write wakes another thread: with one write
 * per line, a cached page takes a third more processor time; with one per 8 KiB, a seventh.
 */
const BUFFER = { minLength: 64 * KIB, maxWrite: 128 * KIB, periodicFlush: 1_000 };
/** Bytes buffered while stdout is blocked; further lines are dropped and counted. */
const MAX_BUFFER_BYTES = 16 * MIB;

/**
 * Logs to stdout from `level` up. Lines are written within a second, and at once when the process exits or
 * crashes (by pino): after a crash, the last of them may precede earlier ones.
 */
export function createLog(level: 'silent' | 'error' | 'warn' | 'info' | 'debug'): Log {
  // In text mode, sonic-boom would measure the whole buffer for each line: twice the time per line.
  const output = pino.destination({
    sync: false,
    maxLength: MAX_BUFFER_BYTES,
    contentMode: 'buffer',
    ...BUFFER,
  });
  const destination = {
    // sonic-boom's README documents bytes for this mode; its types (4.2) still accept only text.
    write: (line: string) => void output.write(Buffer.from(line) as unknown as string),
    flush: output.flush.bind(output),
  };
  const log = pino({ level, base: null, timestamp: isoTime() }, destination);
  let lost = 0;
  output.on('drop', () => lost++);
  output.on('drain', () => {
    if (lost === 0) return;
    log.warn({ lost }, 'log lines dropped: the log was not read fast enough');
    lost = 0;
  });
  return log;
}

function isoTime(): () => string {
  let madeAt = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== madeAt) text = `,"time":"${new Date((madeAt = now)).toISOString()}"`;
    return text;
  };
}

export const flushLog = (log: Pick<Log, 'flush'>): Promise<void> =>
  new Promise((resolve) => log.flush(() => resolve()));

const TOKEN = new RegExp(String.raw`eyJ[\w-]+(?:\.[\w-]*)*|${ACCESS_TOKEN_PREFIX}\w*`, 'g');
/** 256 bits in base64url: tickets of downloads and links, signatures. */
const ONE_TIME = /(?<![\w-])[\w-]{43}(?![\w-])/g;
const ONE_TIME_CHARACTERS = 43;
/** Part of every token, every named parameter and every escape. */
const MAY_HIDE = new RegExp(`eyJ|${ACCESS_TOKEN_PREFIX}|[=%]`);
const MAX_URL_CHARACTERS = 2048;
const SECRET_PARAMETER =
  /([?&](?:token|refresh_token|access_token|password|invite|ticket|secret|code|link)=)[^&#]*/gi;

/** Redacts a request's URL for the log: tokens, one-time secrets and passwords become `[redacted]`. */
export function redactUrl(url: string): string {
  if (url.length <= ONE_TIME_CHARACTERS && !MAY_HIDE.test(url)) return url;
  const shown = redact(url.slice(0, MAX_URL_CHARACTERS));
  const end = `${shown}?`.indexOf('?');
  const [path, query] = [shown.slice(0, end), shown.slice(end)];
  // Names and tokens can also be written with escapes; then the whole path or query is hidden.
  return `${hidesSecret(path) ? '/[redacted]' : path}${hidesSecret(query) ? '?[redacted]' : query}`;
}

const redact = (text: string) =>
  text.replace(SECRET_PARAMETER, '$1[redacted]').replace(TOKEN, '[redacted]').replace(ONE_TIME, '[redacted]');

function hidesSecret(part: string): boolean {
  const plain = unescaped(part);
  return redact(plain) !== plain;
}
