import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A received mail: its raw lines and parsed parts. */
interface Received {
  to: string[];
  raw: string;
  /** Returns the first header of that name, unfolded, or '' when the mail has no such header. */
  header(name: string): string;
  subject: string;
  /** The plain text part. */
  text: string;
  /** The HTML part; '' without one. */
  html: string;
}

/** An SMTP server on this machine that accepts all mail. */
export interface Mailbox {
  /** Value for SMTP_URL. */
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/** Starts a mailbox; `options` are the library's, without `onData`; `refusal` is its answer to the text of
 * every mail. */
export async function openMailbox(
  options: SMTPServerOptions & { delay?: () => number; refusal?: string } = {},
): Promise<Mailbox> {
  const { delay, refusal, ...rest } = options;
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...rest,
    onData(stream, session, done) {
      let raw = '';
      stream.on('data', (part: Buffer) => void (raw += part.toString()));
      stream.on('end', () => {
        if (refusal !== undefined) return done(Object.assign(new Error(refusal), { responseCode: 451 }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push(read(to, raw));
        if (delay) setTimeout(done, delay());
        else done();
      });
    },
  });
  // A killed sender resets its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function read(to: string[], raw: string): Received {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string) => {
    const start = `${name.toLowerCase()}:`;
    const line = lines.find((each) => each.toLowerCase().startsWith(start)) ?? '';
    return line.slice(start.length).trim();
  };
  return {
    to,
    raw,
    header,
    subject: words(header('Subject')),
    text: partOf(raw, 'plain'),
    html: partOf(raw, 'html'),
  };
}

/** Decodes encoded words (RFC 2047) as far as our mailer uses them. */
const words = (text: string): string =>
  text.replace(/\?=\s+=\?/g, '?==?').replace(/((?:=\?utf-8\?[bq]\?[^?]*\?=)+)/gi, (run) => {
    const parts = [...run.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind = '', body = '']) =>
      kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64') : quoted(body.replaceAll('_', ' ')),
    );
    return Buffer.concat(parts).toString();
  });

const quoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );

function partOf(raw: string, kind: 'plain' | 'html'): string {
  const at = raw.toLowerCase().indexOf(`content-type: text/${kind}`);
  if (at === -1) return '';
  const part = raw.slice(at);
  // Headers of the part before its type, or of a mail with one part.
  const before = raw.slice(Math.max(0, raw.lastIndexOf('\r\n--', at)), at);
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const [body = ''] = rest.join('\r\n\r\n').split(/\r\n--[-\w]+_?/, 1);
  if (/encoding: base64/i.test(head) || /encoding: base64/i.test(before))
    return Buffer.from(body, 'base64').toString();
  const isQuoted = /encoding: quoted-printable/i.test(`${before}${head}`);
  return (isQuoted ? quoted(body).toString() : body).replaceAll('\r\n', '\n').trim();
}
