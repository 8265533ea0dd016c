import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that run the examples of deploy/, with what such an example expects from its machine replaced. */

export const HOST = 'blog.example.com';
const readExample = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');

/** Where an example runs in a test. */
interface Place {
  folder: string;
  /** Address of the node, such as `127.0.0.1:4321`. */
  node: string;
  http: number;
  https: number;
}

interface Proxy {
  name: string;
  /** Whether this machine has the program. */
  isHere: boolean;
  /** Writes the example with its replacements; returns the command that runs it. */
  configure: (place: Place) => string[];
  /** Checks the configuration without starting; returns the output. */
  check: (command: string[]) => string;
}

const has = (file: string, ...args: string[]) =>
  process.platform === 'linux' && spawnSync(file, args).status === 0;
const isRoot = process.getuid?.() === 0;
const outputOf = (command: string[]) => {
  const { stdout, stderr } = spawnSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' });
  return stdout + stderr;
};

/** Creates a certificate for HOST; returns the text that a client trusts. */
export function makeCertificate(folder: string): string {
  const file = (name: string) => join(folder, name);
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${HOST}`].concat(
      ['-addext', `subjectAltName=DNS:${HOST},DNS:shop.example.com`],
      ['-keyout', file('privkey.pem'), '-out', file('fullchain.pem')],
    ),
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return readFileSync(file('fullchain.pem'), 'utf8');
}

const ofCertbot = new RegExp(`/etc/letsencrypt/live/[\\w.]+`, 'g');

/** nginx with Debian's default site before ours, and a second site: a copy as the example describes. */
const nginx: Proxy = {
  name: 'nginx',
  isHere: has('nginx', '-v'),
  configure({ folder, node, http, https }) {
    const file = (name: string) => join(folder, name);
    const site = readExample('nginx/site.conf')
      .replaceAll(/listen (\[::\]:)?(80|443)\b/g, (_, six?: string, port?: string) => {
        const address = six === undefined ? '127.0.0.1' : '[::1]';
        return `listen ${address}:${port === '80' ? http : https}`;
      })
      .replaceAll(ofCertbot, folder)
      .replaceAll('/etc/nginx/snippets', folder)
      .replaceAll('/var/log/nginx', folder)
      .replace('127.0.0.1:4321', node);
    const second = site.replaceAll(HOST, 'shop.example.com').replaceAll('moye_blog', 'moye_shop');
    writeFileSync(file('moye.conf'), readExample('nginx/moye.conf'));
    writeFileSync(file('site.conf'), site);
    writeFileSync(file('second.conf'), second);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${file(name)};`,
    );
    const main = `${isRoot ? 'user root;' : ''} daemon off; worker_processes 1; pid ${file('pid')};
      error_log ${file('error.log')}; events {}
      http { ${temporary.join(' ')}
        server { listen 127.0.0.1:${http} default_server; server_name _; return 200 'default site'; }
        include ${file('site.conf')}; include ${file('second.conf')}; }`;
    writeFileSync(file('nginx.conf'), main);
    return ['nginx', '-e', file('error.log'), '-c', file('nginx.conf')];
  },
  // Newer versions want a separate line for HTTP/2, which older ones refuse.
  check: (command) => outputOf([...command, '-t']).replaceAll(/^.*"listen \.\.\. http2" directive.*\n/gm, ''),
};

const caddy: Proxy = {
  name: 'Caddy',
  isHere: has('caddy', 'version'),
  configure({ folder, node, http, https }) {
    const options = `{
\tadmin off
\tstorage file_system ${join(folder, 'storage')}
\thttp_port ${http}
\thttps_port ${https}
\tdefault_bind 127.0.0.1
}
`;
    const site = readExample('Caddyfile')
      .replace(
        `${HOST} {`,
        `${HOST} {\n\ttls ${join(folder, 'fullchain.pem')} ${join(folder, 'privkey.pem')}`,
      )
      .replace('reverse_proxy 127.0.0.1:4321', `reverse_proxy ${node}`)
      .replace('/var/log/caddy', folder);
    writeFileSync(join(folder, 'Caddyfile'), options + site);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  },
  // A certificate that signs itself has no OCSP server.
  check: ([program = '', , ...options]) =>
    outputOf([program, 'validate', ...options]).replaceAll(/^.*"stapling OCSP".*\n/gm, ''),
};

/** Modules of Debian's Apache that are enabled after its installation. */
const APACHE_DEFAULTS =
  'mpm_event authn_core authz_core authz_host access_compat alias deflate dir env filter mime reqtimeout setenvif';
/** Modules that `a2enmod` enables with those that the example names. */
const APACHE_NEEDED = ['socache_shmcb', 'slotmem_shm', 'proxy'];

const apache: Proxy = {
  name: 'Apache',
  isHere: has('apache2', '-v') && readdirSync('/usr/lib/apache2/modules').includes('mod_proxy_balancer.so'),
  configure({ folder, node, http, https }) {
    const file = (name: string) => join(folder, name);
    const example = readExample('apache.conf');
    const named = /a2enmod ([\w ]+)\./.exec(example)?.[1]?.split(' ') ?? [];
    const modules = [...APACHE_DEFAULTS.split(' '), ...APACHE_NEEDED, ...named];
    const site = example
      .replaceAll('*:80', `127.0.0.1:${http}`)
      .replaceAll('*:443', `127.0.0.1:${https}`)
      .replaceAll(ofCertbot, folder)
      .replace('http://127.0.0.1:4321', `http://${node}`);
    mkdirSync(file('run'));
    const main = `ServerRoot ${folder}
      DefaultRuntimeDir ${file('run')}
      PidFile ${file('run/pid')}
      ErrorLog ${file('error.log')}
      Define APACHE_LOG_DIR ${folder}
      ServerName localhost
      Listen 127.0.0.1:${http}
      Listen 127.0.0.1:${https} https
      ${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
      ${isRoot ? 'User www-data\nGroup www-data' : ''}
      TypesConfig /dev/null
      ${site}`;
    writeFileSync(file('apache2.conf'), main.replaceAll(/^ +/gm, ''));
    return ['apache2', '-f', file('apache2.conf'), '-DFOREGROUND'];
  },
  check: ([program = '', ...options]) => outputOf([program, ...options, '-t']),
};

export const PROXIES = [nginx, caddy, apache];

/** Starts a proxy; what it prints goes to `output.log` of the folder. */
export function startProxy([program = '', ...args]: string[], folder: string): ChildProcess {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder },
  });
  const lines: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      lines.push(bytes);
      writeFileSync(join(folder, 'output.log'), Buffer.concat(lines));
    });
  return child;
}
