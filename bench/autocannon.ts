import autocannon from 'autocannon';
import type { Load } from './load.ts';

/**
 * `node autocannon.ts <Load as JSON>`, the load generator where wrk is not installed: prints responses per
 * second. Any response but 200 is a failure.
 */
const { url, connections, seconds, headers, body } = JSON.parse(process.argv[2] ?? '') as Load;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers: { ...headers, ...(body === undefined ? {} : form) },
  ...(body === undefined ? {} : { method: 'POST', body }),
});
if (result.non2xx > 0 || result.errors > 0)
  throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
process.stdout.write(String(result.requests.average));
