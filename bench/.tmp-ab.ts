import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { articleIds } from './client.ts';
import { serve, type Served } from './processes.ts';
import { serveConstant } from './constant/build.ts';
const rounds = Number(process.argv[2] ?? 20);
const cpu = (s: Served) => { const f = readFileSync(`/proc/${s.pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10_000; };
const env = { DATA_DIR: '/work/main/bench/.data/few', RATE_LIMIT: 'off', LOG_LEVEL: 'error', PAGE_CACHE_MB: '0' };
const A = await serve(`${process.env.BASE ?? '/tmp/wt/base'}/src/lib/server/main.ts`, env, '/healthz');
const B = await serve('/tmp/wt/lead/src/lib/server/main.ts', env, '/healthz');
const id = (await articleIds(A))[0];
const constant = await serveConstant('/tmp/constant.html');
const run = (s: Served, path: string) => {
  const before = cpu(s);
  const out = spawnSync('wrk', ['-t1', '-c16', '-d1s', s.url + path], { encoding: 'utf8' }).stdout;
  return (cpu(s) - before) / Number(/(\d+) requests in/.exec(out)![1]);
};
const ab: number[] = [], cb: number[] = [], bs: number[] = [], cs: number[] = [];
const med = (v: number[], q = 0.5) => [...v].sort((p, q) => p - q)[Math.floor(v.length * q)]!;
try {
  for (let r = 0; r < rounds; r++) {
    const a = run(A, `/detail/${id}`), b = run(B, `/detail/${id}`), c = run(constant, '/');
    if (r > 3) { ab.push(b / a); cb.push(c / b); bs.push(b); cs.push(c); }
  }
  console.log('new/old', med(ab).toFixed(3), 'quartiles', med(ab, 0.25).toFixed(3), med(ab, 0.75).toFixed(3), '| constant/new', med(cb).toFixed(3), 'low-quartile µs', med(bs, 0.25).toFixed(0), med(cs, 0.25).toFixed(0));
} finally { await A.stop(); await B.stop(); await constant.stop(); }
