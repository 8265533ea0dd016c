import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, has, serveCommand, type Served } from './processes.ts';

export const hasNginx = has('sh', '-c', 'command -v nginx');

/**
 * Starts nginx with one worker, configured for static files as its manual advises; it serves `file` of
 * `folder` for every request.
 */
export async function serveFile(
  folder: string,
  file: string,
  headers: Record<string, string>,
): Promise<Served> {
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  mkdirSync(join(folder, 'temp'), { recursive: true });
  writeFileSync(config, configuration({ folder, file, port, headers }));
  const command = ['nginx', '-e', 'stderr', '-p', folder, '-c', config, '-g', 'daemon off;'];
  return serveCommand(command, {}, `http://127.0.0.1:${port}`);
}

const CONF = fileURLToPath(new URL('../deploy/nginx/', import.meta.url));

/**
 * Starts nginx in front of `nodes` with the configuration of deploy/nginx/compose.conf; its own files are in
 * `folder`.
 */
export async function serveProxy(folder: string, nodes: readonly Served[]): Promise<Served> {
  const port = await freePort();
  mkdirSync(join(folder, 'temp'), { recursive: true });
  const upstreams = nodes.map(({ url }) => `server ${new URL(url).host};`).join(' ');
  const site = readFileSync(join(CONF, 'compose.conf'), 'utf8')
    .replace(/server node-a:.*\n/, `${upstreams}\n`)
    .replace(/server node-b:.*\n/, '')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/etc/nginx/snippets/', CONF)
    .replace(/access_log \/var.*\n/, 'access_log off;\n');
  const config = join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    config,
    `${user} worker_processes 1; pid ${folder}/nginx.pid; error_log stderr; events { worker_connections 1024; }
http { ${temporaries(folder).join(' ')} ${site} }`,
  );
  const command = ['nginx', '-e', 'stderr', '-p', folder, '-c', config, '-g', 'daemon off;'];
  return serveCommand(command, {}, `http://127.0.0.1:${port}`, '/lab/cup', 'any');
}

const temporaries = (folder: string): string[] =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );

function configuration(site: {
  folder: string;
  file: string;
  port: number;
  headers: Record<string, string>;
}): string {
  const added = Object.entries(site.headers).map(([name, value]) => `add_header ${name} ${value};`);
  // By default, nginx started by root runs its worker as an unprivileged user, who cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
worker_processes 1;
pid ${site.folder}/nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  ${temporaries(site.folder).join('\n  ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=16;
  default_type text/html;
  charset utf-8;
  server {
    listen 127.0.0.1:${site.port};
    location / {
      root ${site.folder};
      try_files /${site.file} =404;
      ${added.join('\n      ')}
    }
  }
}
`;
}
