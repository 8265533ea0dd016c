import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';

/** Certificate (PEM) and its key, as paths. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** Whether OpenSSL is installed, in a version that signs with the certificate of a CA. */
export const hasOpenSsl = /^OpenSSL [3-9]/.test(
  spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout,
);

/** Makes the certificate of a CA. */
export const makeAuthority = (folder: string, name: string): Certificate => make(folder, name, []);

/**
 * Makes a certificate that `authority` signs.
 * @param host the only name that it is for
 */
export const makeCertificate = (
  folder: string,
  name: string,
  { certificate, key }: Certificate,
  host = 'localhost',
): Certificate =>
  make(folder, name, [
    '-CA',
    certificate,
    '-CAkey',
    key,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-addext',
    `subjectAltName=DNS:${host}`,
  ]);

function make(folder: string, name: string, options: readonly string[]): Certificate {
  const made = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...words,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      made.key,
      '-out',
      made.certificate,
      ...options,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return made;
}

/** Gives a key to the user that the PostgreSQL server of the tests runs as, which reads no other's. */
export function giveToServer(key: string): void {
  if (process.getuid?.() === 0) spawnSync('chown', ['nobody', key]);
  chmodSync(key, 0o600);
}
