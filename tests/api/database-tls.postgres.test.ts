import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_SECRET } from '../engine.ts';
import { eventually } from '../eventually.ts';
import { ask, urlOf } from '../postgres/databases.ts';
import {
  giveToServer,
  hasOpenSsl,
  makeAuthority,
  makeCertificate,
  type Certificate,
} from '../postgres/certificates.ts';
import { startPostgres, type TestPostgres } from '../postgres/start.ts';
import { makeSite, spawnServer, temporaryFolder } from './spawn.ts';

/** Roles: `moye` needs no certificate, `careful` needs one of the server's CA. */
const ACCESS = `hostssl all careful 127.0.0.1/32 trust clientcert=verify-ca
hostssl all all 127.0.0.1/32 trust
`;
const MOYE = fileURLToPath(new URL('../../src/lib/cli/moye.ts', import.meta.url));

describe.skipIf(!hasOpenSsl)('a PostgreSQL that takes encrypted connections only', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: TestPostgres;
  let own: Certificate;
  let client: Certificate;
  let stranger: Certificate;
  let clientOfStranger: Certificate;

  /** Address of the site's database; the certificate names `localhost`. */
  function address(query: Record<string, string>, { host = 'localhost', user = 'moye' } = {}): string {
    const url = new URL(urlOf(postgres.url, 'moye'));
    Object.assign(url, { hostname: host, username: user });
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }
  const settingsOf = (url: string, more: Record<string, string> = {}) => ({
    DATA_DIR: join(folder.path, 'data'),
    DATABASE_URL: url,
    TOKEN_SECRET,
    LOG_LEVEL: 'warn',
    ...more,
  });
  async function failToStart(url: string, more?: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await spawnServer(settingsOf(url, more)).ended;
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([78, '', 1]);
    return stderr;
  }
  /** Starts and stops a server. */
  async function lifeOn(url: string) {
    const server = spawnServer(settingsOf(url));
    const { status } = await fetch(`${await server.url}/healthz`);
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    return { status, code, stderr };
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    // The server runs as another user.
    chmodSync(folder.path, 0o755);
    own = makeAuthority(folder.path, 'own-ca');
    stranger = makeAuthority(folder.path, 'other-ca');
    client = makeCertificate(folder.path, 'client', own);
    clientOfStranger = makeCertificate(folder.path, 'stranger', stranger);
    const server = makeCertificate(folder.path, 'server', own);
    giveToServer(server.key);
    const access = join(folder.path, 'pg_hba.conf');
    writeFileSync(access, ACCESS);
    postgres = await startPostgres([
      'ssl=on',
      `ssl_cert_file=${server.certificate}`,
      `ssl_key_file=${server.key}`,
      `ssl_ca_file=${own.certificate}`,
      `hba_file=${access}`,
    ]);
    const root = `${postgres.url}?sslmode=require&uselibpqcompat=true`;
    for (const role of ['moye', 'careful']) await ask(root, `create role ${role} superuser login`);
    await ask(root, "create database moye encoding 'UTF8' template template0 owner moye");
    await makeSite({ settings: settingsOf(address({ sslmode: 'require' })) });
  });
  afterAll(async () => {
    await postgres?.end();
    await folder?.[Symbol.asyncDispose]();
  });

  test.each<[string, () => string]>([
    ['require', () => address({ sslmode: 'require' })],
    ['require, by number', () => address({ sslmode: 'require' }, { host: '127.0.0.1' })],
    ['require and the CA', () => address({ sslmode: 'require', sslrootcert: own.certificate })],
    [
      'verify-ca, by a name that the certificate lacks',
      () => address({ sslmode: 'verify-ca', sslrootcert: own.certificate }, { host: '127.0.0.1' }),
    ],
    ['verify-full and the CA', () => address({ sslmode: 'verify-full', sslrootcert: own.certificate })],
    ['the CA alone, which is verify-full', () => address({ sslrootcert: own.certificate })],
    [
      "a client's certificate",
      () =>
        address(
          {
            sslmode: 'verify-full',
            sslrootcert: own.certificate,
            sslcert: client.certificate,
            sslkey: client.key,
          },
          { user: 'careful' },
        ),
    ],
  ])('starts with %s', async (_, url) => {
    expect(await lifeOn(url())).toEqual({ status: 200, code: 0, stderr: '' });
  });

  test('commands take the same address', () => {
    const run = (url: string) =>
      spawnSync(process.execPath, [MOYE, 'user', 'list'], {
        env: settingsOf(url),
        encoding: 'utf8',
      });
    expect(run(address({ sslmode: 'verify-full', sslrootcert: own.certificate }))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('先行') as string,
    });
    const { status, stderr } = run(address({ sslmode: 'verify-full', sslrootcert: stranger.certificate }));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/PostgreSQL.*self-signed certificate/)]);
  });

  test('without encryption the hint has the parameters to add', async () => {
    for (const url of [address({}), address({ sslmode: 'disable' })])
      expect(await failToStart(url)).toMatch(/no encryption.*sslmode=verify-full.*sslrootcert=/);
  });

  test('with a CA that did not sign the certificate, or none, the hint names the CA', async () => {
    for (const url of [
      address({ sslmode: 'verify-full', sslrootcert: stranger.certificate }),
      address({ sslmode: 'verify-ca', sslrootcert: stranger.certificate }),
      address({ sslmode: 'require', sslrootcert: stranger.certificate }),
      address({ sslmode: 'verify-full' }),
      address({ sslmode: 'verify-ca' }),
    ])
      expect(await failToStart(url)).toMatch(/(?:self-signed|SECURITY).*sslmode=\S+ ?.*sslrootcert=/);
  });

  test('with another host name the hint names it and the mode without the check', async () => {
    const url = address({ sslmode: 'verify-full', sslrootcert: own.certificate }, { host: '127.0.0.1' });
    expect(await failToStart(url)).toMatch(/does not match.*主机名.*sslmode=verify-ca/);
  });

  test("without the client's certificate that the server wants, or with a wrong one, the hint names it", async () => {
    const careful = (query: Record<string, string>) =>
      address({ sslmode: 'verify-full', sslrootcert: own.certificate, ...query }, { user: 'careful' });
    for (const url of [
      careful({}),
      careful({ sslcert: client.certificate }),
      careful({ sslcert: clientOfStranger.certificate, sslkey: clientOfStranger.key }),
      careful({ sslcert: client.certificate, sslkey: clientOfStranger.key }),
      careful({ sslcert: join(folder.path, 'pg_hba.conf'), sslkey: client.key }),
    ])
      expect(await failToStart(url)).toMatch(/墨页没能启动：.*sslcert.*sslkey/);
  });

  test('a missing certificate of the replica stops the start, too', async () => {
    const url = address({ sslmode: 'require' });
    const missing = address({ sslmode: 'verify-full', sslrootcert: join(folder.path, 'missing.crt') });
    expect(await failToStart(url, { DATABASE_READ_URL: missing })).toMatch(/DATABASE_READ_URL.*missing\.crt/);
  });

  test('a certificate that is removed while the server runs is not needed again', async () => {
    const copy = join(folder.path, 'copy.crt');
    copyFileSync(own.certificate, copy);
    const server = spawnServer(settingsOf(address({ sslmode: 'verify-full', sslrootcert: copy })));
    const url = await server.url;
    rmSync(copy);
    await postgres.stop();
    await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(503));
    await postgres.start();
    await eventually(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});
