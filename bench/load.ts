import autocannon from 'autocannon';

/** `node load.ts <url> <connections> <seconds>` prints requests a second; any answer but 200 is a failure. */
const [url = '', connections = '16', seconds = '5'] = process.argv.slice(2);
const result = await autocannon({ url, connections: Number(connections), duration: Number(seconds) });
if (result.non2xx > 0 || result.errors > 0)
  throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
process.stdout.write(String(result.requests.average));
